import { afterEach, describe, expect, it } from 'vitest'
import { recordedLog } from '../../../tests/recorded-log.ts'
import { cookiesOf } from './cookies.ts'
import { createServer, type Server } from './server.ts'

let server: Server
afterEach(() => server.close())

/** A server with replies that each write one cookie, remove another, and say what was read. */
async function serve(secure: boolean): Promise<Server> {
  server = await createServer({ log: recordedLog().log, trustProxy: [], origins: [], secure })
  server.get('/', async (request, reply) => {
    const cookies = cookiesOf(request, reply, secure)
    cookies.write('kept', 'a;b "c"', { maxAgeSeconds: 60 })
    cookies.remove('gone')
    return { read: cookies.read('kept') ?? null }
  })
  return server
}

const attributesOf = (text = '') => text.split('; ').slice(1).sort()

describe('cookies', () => {
  it('are for this host, this site and no script; Secure and __Host- where reached by https', async () => {
    const answer = await (await serve(true)).inject('/')
    const [kept, gone] = answer.headers['set-cookie'] as string[]
    expect(kept).toMatch(/^__Host-kept=a%3Bb%20%22c%22;/)
    expect(attributesOf(kept)).toEqual(['HttpOnly', 'Max-Age=60', 'Path=/', 'SameSite=Lax', 'Secure'])
    expect(gone).toMatch(/^__Host-gone=;/)
    expect(attributesOf(gone)).toEqual(expect.arrayContaining(['HttpOnly', 'Path=/', 'Secure']))
    expect(gone).toMatch(/Max-Age=0|Expires=Thu, 01 Jan 1970/)
  })

  it('do without both where reached by http', async () => {
    const answer = await (await serve(false)).inject('/')
    const [kept] = answer.headers['set-cookie'] as string[]
    expect(kept).toMatch(/^kept=/)
    expect(attributesOf(kept)).toEqual(['HttpOnly', 'Max-Age=60', 'Path=/', 'SameSite=Lax'])
  })

  it('are read under the name they were written with, and no other', async () => {
    const read = async (cookie: string) =>
      (await server.inject({ url: '/', headers: { cookie } })).json().read
    await serve(true)
    expect(await read('__Host-kept=a%3Bb')).toBe('a;b')
    expect(await read('kept=planted')).toBeNull()
    expect(await read('__Host-kept=%zz; other')).toBe('%zz')
    expect(await read(';;;=;')).toBeNull()
  })

  // the JDK's java.net.CookieManager writes those of a reply that says Max-Age like this
  it.each([
    ['in quotes', '__Host-kept="a%3Bb"', 'a;b'],
    [
      'beside their attributes',
      '$Version="1"; __Host-kept="ats_1";$Path="/";$Domain="office.example"',
      'ats_1',
    ],
    ['after another', 'other="x"; __Host-kept="ats_1"', 'ats_1'],
    ['with quotes of their own', '__Host-kept=%22a%22', '"a"'],
    ['with one quote', '__Host-kept="', '"'],
    ['empty', '__Host-kept=""', ''],
    ['with an escape that is none', '__Host-kept="%zz"', '%zz'],
  ])('are read %s', async (_case, cookie, value) => {
    await serve(true)
    expect((await server.inject({ url: '/', headers: { cookie } })).json()).toEqual({ read: value })
  })
})
