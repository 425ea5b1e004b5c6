import { createAtriumClient, createCookieJar } from '@atrium/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lookAtKeys } from '../../src/commands/doctor/keys.ts'
import { readConfig } from '../../src/configuration/config.ts'
import { connectToIssuer, giveDomain } from '../chapters/single-sign-on.ts'
import { surferOf } from '../chapters/surfer.ts'
import { newWebhook } from '../chapters/webhook-scene.ts'
import { freshEmail, openTestOffice, type TestOffice } from '../office.ts'
import { atrium } from '../operator/command-line.ts'
import { newFounder, newPerson, type Person } from '../people.ts'
import { recordedLog } from '../recorded-log.ts'
import { until } from '../until.ts'
import { calendarVendor } from '../vendors/calendar-vendor.ts'
import { openHostileIssuer } from '../vendors/hostile-issuer.ts'
import { openWebhookReceiver } from '../vendors/webhook-receiver.ts'

const [OLD, NEW] = ['old'.repeat(12), 'new'.repeat(12)]

/** The key that sealed it is gone: everything is refused in words, and nothing is answered 500. */
describe('what no key opens', () => {
  let before: TestOffice
  let lost: TestOffice
  let founder: Person & { organizationId: string }
  const log = recordedLog()
  const ends: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    const vendor = await calendarVendor()
    ends.push(() => vendor.close())
    const settings = { ...vendor.settings, ATRIUM_ALLOW_PRIVATE_WEBHOOKS: 'true' }
    before = await openTestOffice({ settings: { ...settings, SECRET_KEY: OLD } })
    ends.push(() => before.close())
    founder = await newFounder(before)
    await vendor.connect(founder.browser, 'A')
    lost = await openTestOffice({
      beside: before,
      settings: { ...settings, SECRET_KEY: NEW },
      log: log.log,
    })
    ends.push(() => lost.close())
  })
  afterAll(async () => {
    for (const end of ends.reverse()) await end()
  })
  const there = () => {
    const cookies = createCookieJar()
    cookies.set('atrium_session', founder.cookie)
    return createAtriumClient({ baseUrl: lost.baseUrl, cookies })
  }

  it('single sign-on: 503 where it begins, and an error in the address where a person comes back', async () => {
    const issuer = await openHostileIssuer()
    ends.push(() => issuer.close())
    const domain = `${freshEmail('d').split('@')[0]}.example`
    await giveDomain(before, founder.organizationId, domain)
    await connectToIssuer(before, founder.organizationId, issuer.issuer)
    const email = `ada@${domain}`
    expect(await lost.browser().request('signIn', { email })).toMatchObject({
      status: 503,
      body: { error: 'provider-unavailable' },
    })
    const surfer = surferOf(before)
    const { authData } = await surfer.client.call('signIn', { email })
    if (authData.authMethod !== 'sso') throw new Error('no single sign-on')
    const back = new URL(new URL(authData.redirectURL).searchParams.get('redirect_uri') ?? '')
    back.search = new URLSearchParams({ code: 'x', state: authData.state }).toString()
    back.port = new URL(lost.baseUrl).port
    const { url } = await surfer.visit(back.href)
    expect(url.searchParams.get('error')).toBe('sign-in-expired')
  })

  it('a person who is back from a provider begins again', async () => {
    const issuer = await openHostileIssuer()
    ends.push(() => issuer.close())
    const domain = `${freshEmail('d').split('@')[0]}.example`
    await giveDomain(before, founder.organizationId, domain)
    await connectToIssuer(before, founder.organizationId, issuer.issuer)
    const email = `ben@${domain}`
    const surfer = surferOf(before)
    const { authData } = await surfer.client.call('signIn', { email })
    if (authData.authMethod !== 'sso') throw new Error('no single sign-on')
    const query = new URL(authData.redirectURL).searchParams
    const back = new URL(query.get('redirect_uri') ?? '')
    back.search = new URLSearchParams({ code: query.get('nonce') ?? '', state: authData.state }).toString()
    issuer.person = { sub: email, email, email_verified: true }
    const { url } = await surfer.visit(back.href)
    const client = createAtriumClient({ baseUrl: lost.baseUrl, cookies: surfer.cookies })
    const code = url.searchParams.get('code') ?? ''
    expect(await client.request('finalizeOauth', { code })).toMatchObject({
      status: 400,
      body: { error: 'invalid-code' },
    })
  })

  it('a calendar asks for consent again, a link for guests is none, and an invitation shows no link', async () => {
    expect(await there().request('listProviderACalendars')).toMatchObject({
      status: 409,
      body: { error: 'calendar-reauth-required' },
    })
    const { room } = await founder.browser.call('createRoom', { name: 'Kitchen' })
    const invite = { orgId: founder.organizationId, roomId: room.id, durationSeconds: 3_600 }
    const { inviteUrl } = await founder.browser.call('inviteGuest', invite)
    const inviteToken = new URL(inviteUrl).searchParams.get('invite_token') as string
    expect((await lost.browser().request('previewGuestInvite', { inviteToken })).status).toBe(400)
    const { email } = await newPerson(before)
    await founder.browser.call('sendInvitation', { email })
    const { data } = await there().call('listInvitation', { email, limit: 1 })
    expect(data).toMatchObject([{ email, token: '', acceptInvitationUrl: '' }])
  })

  it('a webhook is not sent unsigned; once its secret is rotated it goes on', async () => {
    const receiver = await openWebhookReceiver()
    ends.push(() => receiver.close())
    const { id } = await newWebhook(founder.browser, { url: receiver.url, events: ['room.deleted'] })
    await before.office.work.worker('webhooks').stop()
    const { room } = await there().call('createRoom', { name: 'To go' })
    await there().call('deleteRoom', { roomId: room.id })
    await until(() =>
      log.lines.some(({ msg }) => String(msg).startsWith('no key opens the secret of a webhook')),
    )
    expect(receiver.arrivals).toEqual([])
    const { secret } = await there().call('rotateWebhook', { id })
    await before.database.pool.query('update webhooks set paused_until = null')
    await before.database.pool.query("update work_items set run_at = now() where queue = 'webhooks'")
    await until(async () => {
      await lost.office.work.worker('webhooks').drain()
      return receiver.arrivals.length > 0
    })
    receiver.verify(secret)
  })

  it('is named by the doctor and by keys status, with what opens it once the key is back', async () => {
    const settings = { DATABASE_URL: before.database.connectionString, SECRET_KEY: NEW }
    const look = (own: Record<string, string>) =>
      lookAtKeys(readConfig({ ATRIUM_ENV: 'test', ...settings, ...own }, '/nowhere'))
    expect(await look({})).toMatchObject([
      {
        part: 'keys',
        ok: false,
        says: expect.stringMatching(/No key that is set opens: .*1 calendar tokens \(key id [\w-]{8}\)/),
      },
    ])
    await expect(atrium(before, ['keys', 'status'], { settings })).rejects.toThrow('No key that is set opens')
    expect(await look({ SECRET_KEY_PREVIOUS: OLD })).toMatchObject([
      { part: 'keys', ok: true, warns: true, says: expect.stringContaining('SECRET_KEY_PREVIOUS') },
    ])
    const found = await look({ SECRET_KEY_PREVIOUS: OLD })
    expect(JSON.stringify(found)).not.toContain(OLD)
    expect(
      await atrium(before, ['keys', 'status'], { settings: { ...settings, SECRET_KEY_PREVIOUS: OLD } }),
    ).toContain('1 calendar tokens: SECRET_KEY_PREVIOUS (number 1)')
    const away = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }
    expect(await look(away)).toEqual([])
  })

  it('a reply to a repeated request that cannot be read any more is refused with 422', async () => {
    const idempotencyKey = freshEmail('key')
    await founder.browser.request('createRoom', { name: 'Once' }, { idempotencyKey })
    await before.database.pool.query(
      "update idempotent_replies set sealed_body = '\\x0102' where sealed_body is not null",
    )
    expect(await founder.browser.request('createRoom', { name: 'Once' }, { idempotencyKey })).toMatchObject({
      status: 422,
      body: { error: 'idempotency-key-reused', message: expect.stringContaining('was carried out') },
    })
  })
})
