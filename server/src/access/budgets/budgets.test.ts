import { afterEach, describe, expect, it } from 'vitest'
import { freshEmail, openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { freshCodeFor, newFounder, newPerson } from '../../../tests/people.ts'

describe('budgets', () => {
  const offices: TestOffice[] = []
  const open = async (settings: Record<string, string>, beside?: TestOffice) => {
    const office = await openTestOffice({ settings, ...(beside ? { beside } : {}) })
    offices.unshift(office)
    return office
  }
  afterEach(async () => {
    for (const office of offices.splice(0)) await office.close()
  })

  it('counts codes on all nodes together, in any spelling of the address, and tells what is left', async () => {
    const settings = { RATE_LIMIT_CODES_PER_EMAIL: '3' }
    const first = await open(settings)
    const second = await open(settings, first)
    const email = freshEmail()
    const answers = [
      await first.browser().request('signUp', { email }),
      await second.browser().request('signIn', { email: email.toUpperCase() }),
      await first.browser().request('resendMagicAuth', { email }),
    ]
    expect(answers.map((answer) => answer.status)).toEqual([201, 200, 200])
    expect(answers.map((answer) => answer.headers.get('ratelimit-remaining'))).toEqual(['2', '1', '0'])
    const refused = await second.browser().request('signIn', { email })
    expect(refused).toMatchObject({ status: 429, body: { code: 429, error: 'rate-limited' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    expect(await first.browser().request('signIn', { email: freshEmail() })).toMatchObject({ status: 200 })
  })

  it('lets a network address try the ways in so many times a minute, and does not believe X-Forwarded-For', async () => {
    const office = await open({ RATE_LIMIT_SIGN_IN_PER_ADDRESS: '2' })
    const attempt = (forwarded: string) =>
      fetch(`${office.baseUrl}/auth/dev-sign-in`, {
        method: 'POST',
        headers: { 'x-forwarded-for': forwarded },
      })
    expect([
      (await attempt('1.1.1.1')).status,
      (await attempt('2.2.2.2')).status,
      (await attempt('3.3.3.3')).status,
    ]).toEqual([200, 200, 429])
  })

  it.each([
    'sign-in',
    'dev-sign-in',
    'sign-up',
    'admin-sign-up',
    'member-sign-up',
    'resend-magic-auth',
    'finalize-magic-auth',
    'finalize-oauth',
    'continue-with-provider-a',
    'continue-with-provider-b',
    'select-organization',
    'switch-organization',
  ])('counts %s among the ways in', async (way) => {
    const office = await open({ RATE_LIMIT_SIGN_IN_PER_ADDRESS: '1', TRUST_PROXY: '127.0.0.0/8' })
    const attempt = (path: string, headers: Record<string, string>) =>
      fetch(`${office.baseUrl}/auth/${path}`, { method: 'POST', headers })
    const signedIn = await attempt('dev-sign-in', { 'x-forwarded-for': '10.0.0.1' })
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] as string
    const { status } = await attempt(way, { 'x-forwarded-for': '10.0.0.2', cookie })
    expect([200, 400]).toContain(status)
    expect((await attempt(way, { 'x-forwarded-for': '10.0.0.2', cookie })).status).toBe(429)
  })

  it('draws on no budget for who is refused by cross-site rules or for want of a session', async () => {
    const office = await open({ RATE_LIMIT_SIGN_IN_PER_ADDRESS: '1' })
    const attempt = async (path: string, origin?: string) => {
      const headers: Record<string, string> = origin ? { origin } : {}
      return (await fetch(`${office.baseUrl}/auth/${path}`, { method: 'POST', headers })).status
    }
    for (let count = 0; count < 3; count += 1) {
      expect(await attempt('dev-sign-in', 'https://evil.example')).toBe(403)
      expect(await attempt('switch-organization')).toBe(401)
    }
    expect([await attempt('dev-sign-in'), await attempt('dev-sign-in')]).toEqual([200, 429])
  })

  it('believes X-Forwarded-For of a trusted proxy', async () => {
    const office = await open({ RATE_LIMIT_SIGN_IN_PER_ADDRESS: '1', TRUST_PROXY: '127.0.0.0/8' })
    const attempt = (forwarded: string) =>
      fetch(`${office.baseUrl}/auth/dev-sign-in`, {
        method: 'POST',
        headers: { 'x-forwarded-for': forwarded },
      })
    expect([
      (await attempt('1.1.1.1')).status,
      (await attempt('2.2.2.2')).status,
      (await attempt('1.1.1.1')).status,
    ]).toEqual([200, 200, 429])
    // Some proxies name the port too: it is another one with every connection.
    expect([
      (await attempt('4.4.4.4:40001')).status,
      (await attempt('4.4.4.4:40002')).status,
      (await attempt('::ffff:4.4.4.4')).status,
      (await attempt('[2001:db8:4::1]:40001')).status,
      (await attempt('[2001:db8:4::1]:40002')).status,
    ]).toEqual([200, 429, 429, 200, 429])
    // What is not an address counts as the proxy that passed it on.
    expect([(await attempt('nonsense-1')).status, (await attempt('nonsense-2')).status]).toEqual([200, 429])
    // A trusted hop is known by its address, on any port.
    expect([
      (await attempt('6.6.6.6, 127.0.0.2:5001')).status,
      (await attempt('7.7.7.7, 127.0.0.2:5002')).status,
      (await attempt('6.6.6.6, 127.0.0.2:5003')).status,
    ]).toEqual([200, 200, 429])
    // Who has one IPv6 address has the whole /64.
    expect([(await attempt('2001:db8::1')).status, (await attempt('2001:db8:0:0:ffff::2')).status]).toEqual([
      200, 429,
    ])
  })

  it('lets a network address guess so many codes an hour, for any e-mail; then right ones are refused too', async () => {
    const office = await open({ RATE_LIMIT_GUESSES_PER_ADDRESS: '3' })
    const { email } = await newPerson(office)
    for (let guess = 0; guess < 3; guess++) {
      const answer = await office
        .browser()
        .request('finalizeMagicAuth', { email: freshEmail(), code: '000000' })
      expect(answer.status).toBe(400)
    }
    expect(await office.browser().request('finalizeMagicAuth', { email, code: '123456' })).toMatchObject({
      status: 429,
    })
  })

  it('counts codes as guesses and nothing else: made-up tokens from a network lock no one there out of codes', async () => {
    const office = await open({ RATE_LIMIT_GUESSES_PER_ADDRESS: '2' })
    const { email } = await newPerson(office)
    const browser = office.browser()
    const code = await freshCodeFor(office, email, () => browser.call('signIn', { email }))
    const madeUp = {
      recoverAccess: { token: 'rec_nothing' },
      selectOrganization: { pendingAuthenticationToken: 'pat_nothing', organizationId: 'org_nothing' },
      finalizeOauth: { code: 'code_nothing' },
      memberSignUp: { email: freshEmail(), inviteToken: 'nothing' },
      adminSignUp: { email: freshEmail(), inviteToken: 'pilot_nothing' },
    } as const
    for (const [id, input] of Object.entries(madeUp))
      for (let tries = 0; tries < 3; tries++)
        expect(await office.browser().request(id as 'recoverAccess', input as never)).toMatchObject({
          status: 400,
        })
    expect(await browser.request('finalizeMagicAuth', { email, code })).toMatchObject({ status: 200 })
  })

  it('counts wrong codes of a browser that an e-mail has signed in with apart, for its network and the e-mail alike', async () => {
    const office = await open({ RATE_LIMIT_GUESSES_PER_ADDRESS: '3', RATE_LIMIT_GUESSES_PER_EMAIL_HOUR: '2' })
    const { email, browser } = await newPerson(office)
    const codeTo = () => freshCodeFor(office, email, () => browser.call('signIn', { email }))
    const guess = async (from: ReturnType<TestOffice['browser']>, address: string) =>
      (await from.request('finalizeMagicAuth', { email: address, code: '000000' })).status
    // of the network, then of the e-mail
    for (let tries = 0; tries < 4; tries++) await guess(office.browser(), tries < 2 ? email : freshEmail())
    expect(await guess(office.browser(), freshEmail())).toBe(429)
    const code = await codeTo()
    expect(await guess(browser, email)).toBe(400)
    expect(await browser.request('finalizeMagicAuth', { email, code })).toMatchObject({ status: 200 })
    // its own are counted over all its codes, and what others do gives none back
    await codeTo()
    expect(await guess(browser, email)).toBe(400)
    const right = await codeTo()
    expect(await browser.request('finalizeMagicAuth', { email, code: right })).toMatchObject({
      status: 429,
      body: { error: 'rate-limited' },
    })
  })

  it('counts the calls of a person on each node by itself', async () => {
    const first = await open({ RATE_LIMIT_PER_USER: '1' })
    const second = await open({ RATE_LIMIT_PER_USER: '1' }, first)
    const { cookie } = await newPerson(first)
    const call = async ({ baseUrl }: TestOffice) => {
      const headers = { cookie: `atrium_session=${cookie}` }
      return (await fetch(`${baseUrl}/user/get`, { method: 'POST', headers })).status
    }
    expect([await call(first), await call(second)]).toEqual([200, 200])
    expect([await call(first), await call(second)]).toEqual([429, 429])
  })

  it('lets a person call so many times a minute, and tells them what is left', async () => {
    const office = await open({ RATE_LIMIT_PER_USER: '2' })
    const [ada, bob] = [await newPerson(office), await newPerson(office)]
    const first = await ada.browser.request('getCurrentUser')
    expect(first.headers.get('ratelimit-limit')).toBe('2')
    expect(first.headers.get('ratelimit-remaining')).toBe('1')
    await ada.browser.request('getCurrentUser')
    expect(await ada.browser.request('getCurrentUser')).toMatchObject({ status: 429 })
    expect(await bob.browser.request('getCurrentUser')).toMatchObject({ status: 200 })
  })

  it('takes a long answer for several calls, of a person and of a token', async () => {
    const office = await open({ RATE_LIMIT_PER_USER: '20', RATE_LIMIT_PER_TOKEN: '20' })
    const { browser } = await newFounder(office)
    const made = await browser.call('createServiceToken', { name: 'One', operations: ['listRecordings'] })
    for (let n = 0; n < 9; n += 1)
      await browser.call('createRoom', { name: `Room ${n}`, metadata: { plan: 'x'.repeat(16_000) } })
    const left = async () =>
      Number((await browser.request('getCurrentUser')).headers.get('ratelimit-remaining'))
    const before = await left()
    await browser.call('listRooms')
    // itself and two more, for twice 64 KiB; and the call that asks
    expect(before - (await left())).toBe(4)
    const program = office.program(made.token)
    const { headers } = await program.request('listRecordings')
    expect(headers.get('ratelimit-remaining')).toBe('19')
  })

  it('lets each service token call so many times a minute, from any maker', async () => {
    const office = await open({ RATE_LIMIT_PER_TOKEN: '1' })
    const { browser } = await newFounder(office)
    const program = async () => {
      const made = await browser.call('createServiceToken', { name: 'One', operations: ['listMembers'] })
      return office.program(made.token)
    }
    const [first, second] = [await program(), await program()]
    const answer = await first.request('listMembers')
    expect([answer.status, answer.headers.get('ratelimit-limit')]).toEqual([200, '1'])
    expect((await first.request('listMembers')).status).toBe(429)
    expect((await second.request('listMembers')).status).toBe(200)
    expect((await browser.request('listMembers')).status).toBe(200)
  })

  it('lets all service tokens of an organization together call as often as five of them', async () => {
    const office = await open({ RATE_LIMIT_PER_TOKEN: '1' })
    const [{ browser }, other] = [await newFounder(office), await newFounder(office)]
    const callWithNewToken = async (from = browser) => {
      const { id, token } = await from.call('createServiceToken', {
        name: 'One',
        operations: ['listMembers'],
      })
      const { status } = await office.program(token).request('listMembers')
      await from.call('revokeServiceToken', { id })
      return status
    }
    const statuses: number[] = []
    for (let n = 0; n < 7; n += 1) statuses.push(await callWithNewToken())
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
    expect(await callWithNewToken(other.browser)).toBe(200)
  })

  it('keeps no address and no e-mail in clear', async () => {
    const office = await open({ RATE_LIMIT_CODES_PER_EMAIL: '5', RATE_LIMIT_SIGN_IN_PER_ADDRESS: '5' })
    const email = freshEmail()
    await office.browser().call('signUp', { email })
    const { rows } = await office.database.pool.query('select string_agg(key, $1) as keys from rate_limits', [
      '\n',
    ])
    expect(rows[0].keys).toContain('codes-per-email')
    expect(rows[0].keys).not.toContain(email)
    expect(rows[0].keys).not.toContain('127.0.0.1')
  })
})
