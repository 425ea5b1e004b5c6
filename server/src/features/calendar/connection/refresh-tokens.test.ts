import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { newPerson, type Person } from '../../../../tests/people.ts'
import { recordedLog } from '../../../../tests/recorded-log.ts'
import { until } from '../../../../tests/until.ts'
import { type CalendarVendor, calendarVendor } from '../../../../tests/vendors/calendar-vendor.ts'

const HOUR = 3_600
const recorded = recordedLog()

describe.each(['A', 'B'] as const)('the tokens of a calendar at provider %s', (provider) => {
  const list = `listProvider${provider}Calendars` as const
  let vendor: CalendarVendor
  let office: TestOffice
  let secondNode: TestOffice
  let person: Person
  beforeAll(async () => {
    vendor = await calendarVendor()
    const options = { settings: vendor.settings, log: recorded.log }
    office = await openTestOffice(options)
    secondNode = await openTestOffice({ ...options, beside: office })
  })
  afterAll(async () => {
    await secondNode.close()
    await office.close()
    // after all of this, no token, code or verifier is in any line
    const log = recorded.text()
    expect(recorded.lines.length).toBeGreaterThan(10)
    for (const token of vendor.tokens) expect(log.includes(token)).toBe(false)
    for (const form of vendor.tokenForms)
      for (const name of ['code', 'code_verifier', 'refresh_token', 'client_secret'])
        if (form[name] && form[name] !== 'shh') expect(log.includes(form[name])).toBe(false)
    expect(log).not.toContain('canary')
    await vendor.close()
  })
  beforeEach(async () => {
    vendor.tokenReply = undefined
    vendor.expiresIn = HOUR
    vendor.respond = () => ({ body: { items: [], value: [] } })
    person = await newPerson(office)
    await vendor.connect(person.browser, provider)
    vendor.tokenForms.length = 0
    vendor.asked.length = 0
  })
  const refreshes = () => vendor.tokenForms.filter(({ grant_type }) => grant_type === 'refresh_token').length
  const integration = async () => {
    const { integrations } = await person.browser.call('getCurrentUser')
    return provider === 'A' ? integrations.providerACalendar : integrations.providerBCalendar
  }
  const reauthRequired = { status: 409, body: { code: 409, error: 'calendar-reauth-required' } }

  it('are used for as long as they are good', async () => {
    for (let times = 0; times < 3; times += 1) expect(await person.browser.call(list)).toEqual([])
    expect(refreshes()).toBe(0)
  })

  it('are refreshed before they end, and where none is given back the refresh token stays', async () => {
    office.clock.advance(HOUR)
    expect(await person.browser.call(list)).toEqual([])
    office.clock.advance(HOUR)
    expect(await person.browser.call(list)).toEqual([])
    expect(refreshes()).toBe(2)
    // none was asked with a token that was over
    expect(vendor.asked).toHaveLength(2)
  })

  it('are refreshed within their last minute: what is asked may take long to arrive', async () => {
    office.clock.advance(HOUR - 90)
    expect(await person.browser.call(list)).toEqual([])
    expect(refreshes()).toBe(0)
    office.clock.advance(45)
    expect(await person.browser.call(list)).toEqual([])
    expect(refreshes()).toBe(1)
  })

  it('are refreshed once they are refused', async () => {
    vendor.endAccess()
    expect(await person.browser.call(list)).toEqual([])
    expect(refreshes()).toBe(1)
    expect(vendor.asked).toHaveLength(2)
  })

  it('are refreshed where the provider never said how long they live', async () => {
    vendor.expiresIn = undefined
    await vendor.connect(person.browser, provider)
    office.clock.advance(100 * HOUR)
    expect(await person.browser.call(list)).toEqual([])
    vendor.endAccess()
    expect(await person.browser.call(list)).toEqual([])
    expect(refreshes()).toBe(1)
  })

  it('are refreshed once for twenty calls at a time', async () => {
    office.clock.advance(HOUR)
    const answers = await Promise.all(Array.from({ length: 20 }, () => person.browser.request(list)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    expect(refreshes()).toBe(1)
  })

  it('are refreshed once for the calendars of one call that are all refused', async () => {
    vendor.endAccess()
    const span = { timeMin: '2026-03-23T00:00:00Z', timeMax: '2026-03-24T00:00:00Z' }
    const calendars = ['primary', 'b', 'c', 'd', 'e'].map((calendarId) => ({ calendarId, ...span }))
    const found = await person.browser.call(`listProvider${provider}Events`, { calendars })
    expect(found.map(({ error }) => error)).toEqual(Array.from({ length: 5 }, () => undefined))
    expect(refreshes()).toBe(1)
  })

  it('are refreshed once for two nodes', async () => {
    const headers = { cookie: `atrium_session=${person.cookie}` }
    const path = `/api/v1/calendar/provider-${provider.toLowerCase()}/calendars`
    const ask = (node: TestOffice) => fetch(`${node.baseUrl}${path}`, { headers })
    office.clock.advance(HOUR)
    const answers = await Promise.all([office, secondNode, office, secondNode].map(ask))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(refreshes()).toBe(1)
  })

  it('take the new refresh token where the provider gives one', async () => {
    const first = vendor.tokens.length
    vendor.tokenReply = (form) => {
      if (form.grant_type !== 'refresh_token') return undefined
      vendor.tokenReply = undefined
      const [accessToken, refreshToken] = ['canary-rotated-access', 'canary-rotated-refresh']
      vendor.tokens.push(accessToken, refreshToken)
      return {
        body: { access_token: accessToken, refresh_token: refreshToken, token_type: 'bearer', expires_in: 1 },
      }
    }
    office.clock.advance(HOUR)
    await person.browser.request(list)
    await person.browser.request(list)
    expect(vendor.tokenForms.at(-1)).toMatchObject({ refresh_token: 'canary-rotated-refresh' })
    expect(vendor.tokens.length).toBeGreaterThan(first)
  })

  it.each(['invalid_grant', 'interaction_required'])(
    'want consent again after %s: told, remembered, not asked again, mended by connecting',
    async (error) => {
      vendor.tokenReply = () => ({ status: 400, body: { error, error_description: 'canary: revoked' } })
      office.clock.advance(HOUR)
      expect(await person.browser.request(list)).toMatchObject(reauthRequired)
      expect(await person.browser.request(list)).toMatchObject(reauthRequired)
      expect(refreshes()).toBe(1)
      expect(await integration()).toEqual({ connected: true, enabled: true, reauthRequired: true })
      vendor.tokenReply = undefined
      await vendor.connect(person.browser, provider)
      expect(await integration()).toEqual({ connected: true, enabled: true })
      expect(await person.browser.call(list)).toEqual([])
    },
  )

  it('want consent again where fresh ones are refused too, or where access was never given', async () => {
    vendor.respond = () => ({ status: 401, body: {} })
    expect(await person.browser.request(list)).toMatchObject(reauthRequired)
    await vendor.connect(person.browser, provider)
    vendor.respond = () => ({
      status: 403,
      body: {
        error: {
          code: provider === 'A' ? 403 : 'ErrorAccessDenied',
          errors: [{ reason: 'insufficientPermissions' }],
        },
      },
    })
    expect(await person.browser.request(list)).toMatchObject(reauthRequired)
    expect((await integration())?.reauthRequired).toBe(true)
  })

  it('want consent again at their end, where no refresh token was ever given', async () => {
    vendor.tokenReply = () => ({ body: { access_token: 'x', token_type: 'bearer', expires_in: HOUR } })
    await vendor.connect(person.browser, provider)
    expect(await integration()).toEqual({ connected: true, enabled: true })
    office.clock.advance(HOUR)
    // known beforehand: the profile says so before a request asks the provider
    expect(await integration()).toEqual({ connected: true, enabled: true, reauthRequired: true })
    expect(await person.browser.request(list)).toMatchObject(reauthRequired)
    expect(refreshes()).toBe(0)
    vendor.tokenReply = undefined
    await vendor.connect(person.browser, provider)
    expect(await integration()).toEqual({ connected: true, enabled: true })
  })

  it('outlive an answer that is lost: asked for once more under the same lease', async () => {
    vendor.tokenReply = () => {
      vendor.tokenReply = undefined
      return { raw: '{"access_token":"canary-half-of-it-is-lost"}', cutOff: true }
    }
    office.clock.advance(HOUR)
    expect(await person.browser.call(list)).toEqual([])
    expect(refreshes()).toBe(2)
  })

  it.each([
    ['is away', { status: 503, body: {} }],
    ['answers half', { raw: '{"access_token":"canary-half-of-it' }],
    ['does not know us', { status: 401, body: { error: 'invalid_client' } }],
  ])('stay as they are where the provider %s: 502, and good again later', async (_case, reply) => {
    office.clock.advance(HOUR)
    vendor.tokenReply = () => reply
    expect(await person.browser.request(list)).toMatchObject({ status: 502 })
    expect(await integration()).toEqual({ connected: true, enabled: true })
    vendor.tokenReply = undefined
    expect(await person.browser.call(list)).toEqual([])
  })

  it('are not brought back by a refresh that ends after the disconnect', async () => {
    office.clock.advance(HOUR)
    let goOn = () => {}
    const held = new Promise<void>((resolve) => {
      goOn = resolve
    })
    vendor.tokenReply = async () => {
      await held
      return undefined
    }
    const asking = person.browser.request(list)
    await until(async () => refreshes() === 1)
    await person.browser.call(`disconnectProvider${provider}Calendar`)
    goOn()
    expect(await asking).toMatchObject({ status: 409, body: { error: 'calendar-not-connected' } })
    expect((await integration())?.connected ?? false).toBe(false)
  })

  it('are of the new connection where one was made during a refresh', async () => {
    office.clock.advance(HOUR)
    let goOn = () => {}
    const held = new Promise<void>((resolve) => {
      goOn = resolve
    })
    vendor.tokenReply = async (form) => {
      if (form.grant_type === 'refresh_token') await held
      return form.grant_type === 'refresh_token'
        ? { status: 400, body: { error: 'invalid_grant' } }
        : undefined
    }
    const asking = person.browser.request(list)
    await until(async () => refreshes() === 1)
    await vendor.connect(person.browser, provider)
    goOn()
    expect(await asking).toMatchObject({ status: 200, body: [] })
    expect(await integration()).toEqual({ connected: true, enabled: true })
  })

  it('are refreshed by another node where the one that began has died', async () => {
    office.clock.advance(HOUR)
    const lease = new Date(office.clock.now().getTime() + 1_000)
    await office.database.pool.query(
      'update calendar_connections set refreshing_until = $1 where user_id = $2',
      [lease, person.id],
    )
    expect(await person.browser.call(list)).toEqual([])
    expect(refreshes()).toBe(1)
  })
})
