import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  connectCalendar,
  consent,
  consentUrlOf,
  isConnected,
  newPkce,
  otherThan,
  providers,
} from '../../../../tests/chapters/calendars.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { newPerson, type Person } from '../../../../tests/people.ts'
import { type CalendarVendor, listFrom, openVendorOffice } from '../../../../tests/vendors/calendar-vendor.ts'

let vendor: CalendarVendor
let office: TestOffice
let close: () => Promise<void>
let nobody: Person
let sandbox: TestOffice
beforeAll(async () => {
  ;({ vendor, office, close } = await openVendorOffice())
  nobody = await newPerson(office)
  sandbox = await openTestOffice()
})
afterAll(async () => {
  await close()
  await sandbox.close()
})
beforeEach(() => {
  vendor.tokenReply = undefined
  vendor.tokenForms.length = 0
})

describe.each(providers)('finalizeProvider%sCalendar', (provider) => {
  const operation = `finalizeProvider${provider}Calendar` as const

  it('exchanges code and verifier, and the profile says so', async () => {
    const { browser } = await newPerson(office)
    const answer = await vendor.consent(browser, provider)
    expect(await isConnected(browser, provider)).toBe(false)
    expect(await browser.call(operation, answer)).toEqual({ code: 200, message: expect.any(String) })
    expect(vendor.tokenForms).toEqual([
      {
        grant_type: 'authorization_code',
        code: answer.code,
        code_verifier: answer.codeVerifier,
        redirect_uri: `${office.office.config.frontendUrl}/calendar/complete`,
        client_id: 'us',
        client_secret: 'shh',
      },
    ])
    expect((await browser.call('getCurrentUser')).integrations).toEqual({
      providerACalendar: { connected: false, enabled: true },
      [`provider${provider}Calendar`]: { connected: true, enabled: true },
    })
  })

  it('keeps no token as it is: what is stored opens with our key, in its own row only', async () => {
    const { browser, id } = await newPerson(office)
    await vendor.connect(browser, provider)
    const { rows } = await office.database.pool.query(
      `select encode(sealed_tokens, 'escape') as text, sealed_tokens from calendar_connections where user_id = $1`,
      [id],
    )
    for (const token of vendor.tokens) expect(rows[0].text).not.toContain(token)
    const other = await newPerson(office)
    await vendor.connect(other.browser, provider)
    await office.database.pool.query(
      'update calendar_connections set sealed_tokens = $1 where user_id = $2',
      [rows[0].sealed_tokens, other.id],
    )
    expect(await other.browser.request(`listProvider${provider}Calendars`)).toMatchObject({
      status: 409,
      body: { error: 'calendar-reauth-required' },
    })
  })

  it('refuses a wrong verifier, and then the code as well: it is used up', async () => {
    const { browser } = nobody
    const { code, codeVerifier } = await vendor.consent(browser, provider)
    const wrong = { code, codeVerifier: newPkce().codeVerifier }
    const refused = { status: 400, body: { code: 400, error: 'calendar-code-refused' } }
    expect(await browser.request(operation, wrong)).toMatchObject(refused)
    expect(await browser.request(operation, { code, codeVerifier })).toMatchObject(refused)
    expect(await isConnected(browser, provider)).toBe(false)
  })

  it('connects nothing where the calendar is not among what the person has allowed, and says so', async () => {
    const { browser } = await newPerson(office)
    const answer = await vendor.consent(browser, provider)
    vendor.tokenReply = () => ({
      body: {
        access_token: 'canary-x',
        token_type: 'Bearer',
        refresh_token: 'canary-y',
        scope: 'openid email',
      },
    })
    expect(await browser.request(operation, answer)).toMatchObject({
      status: 400,
      body: { code: 400, error: 'calendar-permission-missing' },
    })
    expect(await isConnected(browser, provider)).toBe(false)
  })

  it('refuses a code that was used before without a word to the provider, and keeps what it gave', async () => {
    const { browser } = await newPerson(office)
    const answer = await vendor.consent(browser, provider)
    const twice = await Promise.all([1, 2].map(() => browser.request(operation, answer)))
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(await browser.request(operation, answer)).toMatchObject({ status: 400 })
    expect(vendor.tokenForms).toHaveLength(1)
    expect(await isConnected(browser, provider)).toBe(true)
  })

  it('takes the same code again from a person who begins anew, and from another one', async () => {
    const ada = await newPerson(office)
    const ben = await newPerson(office)
    vendor.tokenReply = () => ({
      body: { access_token: 'constant', token_type: 'Bearer', expires_in: 3_600 },
    })
    const finalized = async ({ browser }: typeof ada) => {
      const answer = { code: 'the-only-code', codeVerifier: 'v'.repeat(43) }
      return (await browser.request(operation, answer)).status
    }
    expect(await finalized(ada)).toBe(200)
    expect(await finalized(ben)).toBe(200)
    expect(await finalized(ada)).toBe(400)
    await consentUrlOf(ada.browser, provider, newPkce())
    expect(await finalized(ada)).toBe(200)
    await ada.browser.call(`disconnectProvider${provider}Calendar`)
    expect(await finalized(ada)).toBe(200)
  })

  it.each([
    ['no code', { codeVerifier: 'a'.repeat(43) }],
    ['no verifier', { code: 'x' }],
    ['an empty code', { code: '', codeVerifier: 'a'.repeat(43) }],
    ['a code of another type', { code: 5, codeVerifier: 'a'.repeat(43) }],
    ['an empty verifier', { code: 'x', codeVerifier: '' }],
    ['a verifier that is too long', { code: 'x', codeVerifier: 'a'.repeat(129) }],
  ])('refuses %s, and asks no provider', async (_case, input) => {
    const answer = await nobody.browser.request(operation, input as never)
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid-input' } })
    expect(vendor.tokenForms).toEqual([])
  })

  it.each([
    ['fails', { status: 500, raw: 'oh no' }],
    ['is cut off', { body: { access_token: 'canary-cut', token_type: 'Bearer' }, cutOff: true }],
  ])('says that the provider is away where it %s', async (_case, reply) => {
    const { browser } = await newPerson(office)
    const answer = await vendor.consent(browser, provider)
    vendor.tokenReply = () => reply
    const refused = await browser.request(operation, answer)
    expect(refused).toMatchObject({ status: 503, body: { error: 'provider-unavailable' } })
    expect(JSON.stringify(refused.body)).not.toContain('canary')
    expect(await isConnected(browser, provider)).toBe(false)
    // the same code is still good where the provider never took it
    vendor.tokenReply = undefined
    expect((await browser.request(operation, answer)).status).toBe(200)
  })

  it('connects once for two tabs that finish at the same time', async () => {
    const { browser, id } = await newPerson(office)
    const tabs = [await vendor.consent(browser, provider), await vendor.consent(browser, provider)]
    const answers = await Promise.all(tabs.map((tab) => browser.request(operation, tab)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const { rows } = await office.database.pool.query(
      'select 1 from calendar_connections where user_id = $1',
      [id],
    )
    expect(rows).toHaveLength(1)
    vendor.respond = () => listFrom(provider, [])
    expect(await browser.call(`listProvider${provider}Calendars`)).toEqual([])
  })

  it('is refused without a session', async () => {
    const input = { code: 'x', codeVerifier: 'a'.repeat(43) }
    expect(await office.browser().request(operation, input)).toMatchObject({ status: 401 })
  })
})

describe.each(providers)('finalizeProvider%sCalendar in the sandbox', (provider) => {
  const operation = `finalizeProvider${provider}Calendar` as const
  const other = otherThan(provider)
  const consented = async (browser: Person['browser'], at = provider) => {
    const { code, codeVerifier } = await consent(sandbox, browser, at)
    return { code, codeVerifier }
  }

  it('lands on a page of our own where the office is its own front end', async () => {
    const { browser } = await newPerson(sandbox)
    const { code, codeVerifier, end, pkce } = await consent(sandbox, browser, provider)
    expect(`${end.origin}${end.pathname}`).toBe(`${sandbox.office.config.frontendUrl}/calendar/complete`)
    expect(end.searchParams.get('state')).toBe(pkce.state)
    await browser.call(operation, { code, codeVerifier })
    const page = await fetch(`${sandbox.baseUrl}/calendar/complete`)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'; ")
  })

  it('connects, beside a calendar of the other provider and without touching it', async () => {
    const { browser } = await newPerson(sandbox)
    await connectCalendar(sandbox, browser, other)
    expect(await browser.call(operation, await consented(browser))).toMatchObject({ code: 200 })
    expect((await browser.call('getCurrentUser')).integrations).toEqual({
      providerACalendar: { connected: true, enabled: true },
      providerBCalendar: { connected: true, enabled: true },
    })
  })

  it('lives on through refreshes', async () => {
    const { browser } = await newPerson(sandbox)
    await connectCalendar(sandbox, browser, provider)
    for (let hour = 0; hour < 3; hour += 1) {
      sandbox.clock.advance(3_600)
      expect(await browser.call(`listProvider${provider}Calendars`)).toHaveLength(3)
    }
  })

  it('refuses a wrong verifier, a code of the other provider, and a used one', async () => {
    const { browser } = await newPerson(sandbox)
    const refused = { status: 400, body: { error: 'calendar-code-refused' } }
    const { code } = await consented(browser)
    const { codeVerifier } = newPkce()
    expect(await browser.request(operation, { code, codeVerifier })).toMatchObject(refused)
    expect(await browser.request(operation, await consented(browser, other))).toMatchObject(refused)
    const good = await consented(browser)
    await browser.call(operation, good)
    expect(await browser.request(operation, good)).toMatchObject(refused)
  })
})
