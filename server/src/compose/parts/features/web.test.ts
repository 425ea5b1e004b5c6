import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guestLink, newRoom } from '../../../../tests/chapters/rooms.ts'
import { freshEmail, openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { invitationTokenFor, linkTokenOf, newFounder } from '../../../../tests/people.ts'
import { readConfig } from '../../../configuration/config.ts'
import { webPolicy } from '../../from-configuration/web-policy.ts'

const BROWSER = { accept: 'text/html,application/xhtml+xml' }

/** What the pages do is tried in a browser: engines/web. `npm ci` has built them. */
describe('the web office', () => {
  let office: TestOffice
  let apart: TestOffice
  beforeAll(async () => {
    office = await openTestOffice({ atBaseUrl: true })
    apart = await openTestOffice({ beside: office, settings: { FRONTEND_URL: 'https://front.example' } })
  })
  afterAll(async () => {
    await apart.close()
    await office.close()
  })

  it.each([
    '/',
    '/sign-in',
    '/auth/complete?code=x&state=y',
    '/join?invite_token=x',
    '/invitation?invitation_token=x',
    '/recovery',
    '/guest?invite_token=x',
    '/room/some-room',
    '/chat/12',
  ])('answers a browser at %s with the page, which says nothing of what it was asked', async (path) => {
    const answer = await fetch(office.baseUrl + path, { headers: BROWSER })
    const html = await answer.text()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^text\/html; charset=utf-8$/i)
    expect(answer.headers.get('cache-control')).toBe('no-cache')
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    expect(answer.headers.get('set-cookie')).toBeNull()
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self';")
    expect(policy).toContain("require-trusted-types-for 'script'")
    // no script in the page itself
    expect(html).not.toMatch(/<script(?![^>]* src=)/)
    expect(html).not.toMatch(/=x|some-room/)
  })

  it('has the worker of pushes, which is asked for again each time', async () => {
    const answer = await fetch(`${office.baseUrl}/push-worker.js`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^(text|application)\/javascript/)
    expect(answer.headers.get('cache-control')).toBe('no-cache')
    expect(answer.headers.get('content-security-policy')).toMatch(
      /^default-src 'none';.*; connect-src 'self'$/,
    )
    expect(await answer.text()).toContain('showNotification')
  })

  it('has assets that never change, compressed when they were built', async () => {
    const html = await (await fetch(`${office.baseUrl}/`, { headers: BROWSER })).text()
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1]
    const answer = await fetch(office.baseUrl + script, { headers: { 'accept-encoding': 'br' } })
    await answer.arrayBuffer()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-encoding')).toBe('br')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(answer.headers.get('content-type')).toContain('javascript')
  })

  it.each(['/sign-in', '/guest'])(
    'names in the page at %s what its screen loads: all of it is there',
    async (path) => {
      const pageAt = async (at: string) =>
        await (await fetch(office.baseUrl + at, { headers: BROWSER })).text()
      const named = (html: string) =>
        [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, url = '']) => url)
      const [own, all] = [named(await pageAt(path)), named(await pageAt('/'))]
      expect(own).toEqual(expect.arrayContaining(all))
      expect(own.length).toBeGreaterThan(all.length)
      expect(new Set(own).size).toBe(own.length)
      for (const url of own) expect((await fetch(office.baseUrl + url)).status, url).toBe(200)
    },
  )

  it.each(['/nothing', '/room', '/assets/none.js', '/sources.sha256', '/assets/%2e%2e/sources.sha256'])(
    'knows no other address: %s is not found, by a page in a browser and in JSON elsewhere',
    async (path) => {
      const page = await fetch(office.baseUrl + path, { headers: BROWSER })
      expect(page.status).toBe(404)
      expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
      expect(page.headers.get('cache-control')).toBe('no-store')
      expect(await page.text()).toContain('<div id="root">')
      for (const accept of ['*/*', 'application/json']) {
        const answer = await fetch(office.baseUrl + path, { headers: { accept } })
        expect(answer.status).toBe(404)
        expect(await answer.json()).toMatchObject({ code: 404 })
      }
    },
  )

  it('answers for a missing file without a warning of leaking listeners', async () => {
    const warnings: Error[] = []
    const note = (warning: Error) => warnings.push(warning)
    process.on('warning', note)
    try {
      await (await fetch(`${office.baseUrl}/assets/none.js`, { headers: BROWSER })).text()
      // Node emits a warning at the next tick
      await new Promise(setImmediate)
    } finally {
      process.off('warning', note)
    }
    expect(warnings.map(({ name }) => name)).not.toContain('MaxListenersExceededWarning')
  })

  it('answers what is written to an unknown address, or with another method, in JSON to browsers too', async () => {
    const unknown = await fetch(`${office.baseUrl}/nothing`, { method: 'POST', headers: BROWSER })
    expect(unknown.status).toBe(404)
    expect(await unknown.json()).toMatchObject({ code: 404 })
    const other = await fetch(`${office.baseUrl}/user/get`, { headers: BROWSER })
    expect(other.status).toBe(405)
    expect(await other.json()).toMatchObject({ code: 405 })
  })

  it('leaves / to programs that want JSON', async () => {
    const answer = await fetch(`${office.baseUrl}/`, { headers: { accept: 'application/json' } })
    expect(await answer.json()).toMatchObject({ name: 'atrium' })
  })

  it('stands where links lead, and opening them uses nothing up', async () => {
    const founder = await newFounder(office)
    const { inviteLink } = await founder.browser.call('getInviteLink')
    const email = freshEmail()
    await founder.browser.call('sendInvitation', { email })
    const token = await invitationTokenFor(office, email)
    const { data } = await founder.browser.call('listInvitation')
    const guestUrl = `${office.baseUrl}/guest?invite_token=${await guestLink(founder, (await newRoom(founder)).id)}`
    for (const url of [inviteLink, data[0]?.acceptInvitationUrl ?? '', guestUrl]) {
      for (const method of ['HEAD', 'GET']) expect((await fetch(url, { method })).status).toBe(200)
    }
    expect((await office.browser().call('showInvitation', { token })).state).toBe('pending')
    expect(await linkTokenOf(founder)).toBe(new URL(inviteLink).searchParams.get('invite_token'))
  })

  it('is not there where the front end is elsewhere', async () => {
    for (const path of [
      '/sign-in',
      '/join',
      '/invitation',
      '/recovery',
      '/guest',
      '/auth/complete',
      '/favicon.svg',
    ])
      expect((await fetch(apart.baseUrl + path)).status).toBe(404)
    const unknown = await fetch(`${apart.baseUrl}/nothing`, { headers: BROWSER })
    expect(await unknown.json()).toMatchObject({ code: 404 })
    const front = await fetch(`${apart.baseUrl}/`, { headers: BROWSER })
    expect(await front.text()).toContain('/docs')
  })
})

describe('the policy of the web office', () => {
  const policyOf = (settings: Record<string, string>) =>
    webPolicy(readConfig({ ATRIUM_ENV: 'test', PORT: '3000', DATA_DIR: '/nowhere', ...settings }, '/nowhere'))

  it('names no other origin where everything is served by the office', () => {
    expect(policyOf({})).not.toMatch(/https?:|wss?:/)
  })

  it('lets in what the settings send browsers to', () => {
    const policy = policyOf({
      LIVEKIT_URL: 'http://livekit.internal:7880',
      LIVEKIT_PUBLIC_URL: 'wss://media.example',
      LIVEKIT_API_KEY: 'key',
      LIVEKIT_API_SECRET: 'a-secret-of-thirty-two-characters-',
      AVATAR_PUBLIC_BASE_URL: 'https://pictures.example/avatars',
      BROKER_PUBLIC_URL: 'wss://broker.example/connection/websocket',
    })
    expect(policy).toContain(
      "connect-src 'self' wss://media.example https://media.example wss://broker.example https://broker.example;",
    )
    expect(policy).toContain("img-src 'self' data: blob: https://pictures.example;")
    expect(policy).not.toContain('internal')
  })
})
