import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createCookieJar } from './cookie-jar.ts'

const home = new URL('http://office.example/auth/sign-in')
const secureHome = new URL('https://office.example/auth/sign-in')

describe('a cookie jar', () => {
  it('keeps a cookie and sends it back', () => {
    const jar = createCookieJar()
    jar.receive(['atrium_session=abc=; Path=/; HttpOnly; SameSite=Lax'], home)
    expect(jar.get('atrium_session')).toBe('abc=')
    expect(jar.headerFor(home)).toBe('atrium_session=abc=')
  })

  it('has no header where it has no cookie', () => {
    expect(createCookieJar().headerFor(home)).toBeUndefined()
  })

  it('replaces a cookie of the same name and path', () => {
    const jar = createCookieJar()
    jar.receive(['a=1; Path=/'], home)
    jar.receive(['a=2; Path=/'], home)
    expect(jar.headerFor(home)).toBe('a=2')
  })

  it.each(['Max-Age=0', 'Max-Age=-1', 'Expires=Thu, 01 Jan 1970 00:00:00 GMT'])(
    'forgets with %s',
    (ending) => {
      const jar = createCookieJar()
      jar.receive(['a=1; Path=/'], home)
      jar.receive([`a=; Path=/; ${ending}`], home)
      expect(jar.get('a')).toBeUndefined()
      expect(jar.headerFor(home)).toBeUndefined()
    },
  )

  it('takes Max-Age before Expires', () => {
    const jar = createCookieJar()
    jar.receive(['a=1; Path=/; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT'], home)
    expect(jar.get('a')).toBe('1')
  })

  it('sends a cookie to its path and below only, the most specific first', () => {
    const jar = createCookieJar()
    jar.receive(['a=root; Path=/', 'b=auth; Path=/auth', 'c=other; Path=/au'], home)
    expect(jar.headerFor(home)).toBe('b=auth; a=root')
    expect(jar.headerFor(new URL('http://office.example/auth'))).toBe('b=auth; a=root')
    expect(jar.headerFor(new URL('http://office.example/user'))).toBe('a=root')
  })

  it('lays a cookie without a path into the folder it came from', () => {
    const jar = createCookieJar()
    jar.receive(['a=1'], home)
    expect(jar.headerFor(new URL('http://office.example/auth/sign-out'))).toBe('a=1')
    expect(jar.headerFor(new URL('http://office.example/user/get'))).toBeUndefined()
  })

  it('keeps Secure cookies to https and to this machine', () => {
    const jar = createCookieJar()
    jar.receive(['a=1; Path=/; Secure'], home)
    expect(jar.get('a')).toBeUndefined()

    jar.receive(['a=1; Path=/; Secure'], secureHome)
    expect(jar.headerFor(secureHome)).toBe('a=1')
    expect(jar.headerFor(home)).toBeUndefined()
    expect(jar.headerFor(new URL('http://localhost:3000/'))).toBe('a=1')
  })

  it('refuses a __Host- cookie that is not Secure and for all paths', () => {
    const jar = createCookieJar()
    jar.receive(
      ['__Host-a=1; Path=/', '__Host-b=1; Path=/auth; Secure', '__Host-c=1; Path=/; Secure'],
      secureHome,
    )
    expect(jar.headerFor(secureHome)).toBe('__Host-c=1')
  })

  it('passes over what is no cookie', () => {
    const jar = createCookieJar()
    jar.receive(['', '=1', 'nonsense; Path=/'], home)
    expect(jar.headerFor(home)).toBeUndefined()
  })

  it('can be filled and emptied by hand', () => {
    const jar = createCookieJar()
    jar.set('a', '1')
    expect(jar.headerFor(home)).toBe('a=1')
    jar.clear()
    expect(jar.headerFor(home)).toBeUndefined()
  })
})

describe('expiry', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 0 })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('comes while the jar is kept', () => {
    const jar = createCookieJar()
    jar.receive(['a=1; Path=/; Max-Age=60', 'b=1; Path=/; Expires=Thu, 01 Jan 1970 00:02:00 GMT'], home)
    vi.setSystemTime(61_000)
    expect(jar.headerFor(home)).toBe('b=1')
    vi.setSystemTime(121_000)
    expect(jar.headerFor(home)).toBeUndefined()
  })
})
