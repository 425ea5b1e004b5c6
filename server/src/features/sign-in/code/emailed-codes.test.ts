import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectToIssuer, giveDomain } from '../../../../tests/chapters/single-sign-on.ts'
import { freshEmail, openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { codeFor, linkTokenOf, mailsTo, newFounder, signedUp } from '../../../../tests/people.ts'
import { until } from '../../../../tests/until.ts'
import { openHostileIssuer } from '../../../../tests/vendors/hostile-issuer.ts'

const wrong = (code: string) => ((Number(code) + 1) % 1_000_000).toString().padStart(6, '0')

/** The limits of an office that are tried here, small enough to be reached. */
const LIMITS = {
  TRUST_PROXY: 'loopback',
  RATE_LIMIT_CODES_PER_EMAIL: '4',
  RATE_LIMIT_CODES_PER_EMAIL_HOUR: '7',
  RATE_LIMIT_GUESSES_PER_EMAIL_HOUR: '10',
  RATE_LIMIT_GUESSES_PER_EMAIL_DAY: '14',
}

describe('e-mailed codes', () => {
  let office: TestOffice
  let limited: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
    limited = await openTestOffice({ settings: LIMITS })
  })
  afterAll(async () => {
    await limited.close()
    await office.close()
  })

  let networks = 0
  /** A browser that sends each request from another network. */
  function rotating() {
    const roaming: typeof fetch = (url, init) => {
      const headers = new Headers(init?.headers)
      networks += 1
      headers.set('x-forwarded-for', `10.1.${networks >> 8}.${networks & 255}`)
      return fetch(url, { ...init, headers })
    }
    return limited.browser(roaming)
  }
  /** The code of the mail that an action causes. */
  async function mailed(to: string, ask: () => Promise<unknown>, where = office): Promise<string> {
    const before = (await mailsTo(where, to)).length
    await ask()
    await until(async () => (await mailsTo(where, to)).length > before)
    return (await mailsTo(where, to))[0]?.code ?? ''
  }

  it('are not ended by the wrong tries of other browsers', async () => {
    const { email } = await signedUp(office)
    const [owner, stranger] = [office.browser(), office.browser()]
    const code = await mailed(email, () => owner.call('signIn', { email }))
    for (let tries = 0; tries < 6; tries++)
      expect((await stranger.request('finalizeMagicAuth', { email, code: wrong(code) })).status).toBe(400)
    expect((await stranger.request('finalizeMagicAuth', { email, code })).status).toBe(400)
    expect((await owner.request('finalizeMagicAuth', { email, code })).status).toBe(200)
  })

  it('are the newest one only in a browser that asked for none, after that one was used or has expired too', async () => {
    const { email } = await signedUp(office)
    const codeTo = (browser = office.browser()) => mailed(email, () => browser.call('signIn', { email }))
    const finalize = async (code: string) =>
      (await office.browser().request('finalizeMagicAuth', { email, code })).status
    const [first, second] = [await codeTo(), await codeTo()]
    expect([await finalize(first), await finalize(second), await finalize(first)]).toEqual([400, 200, 400])
    const owner = office.browser()
    const own = await codeTo(owner)
    office.clock.advance(300)
    await codeTo()
    expect(await finalize(own)).toBe(400)
    expect((await owner.request('finalizeMagicAuth', { email, code: own })).status).toBe(200)
  })

  it('take five tries of the browser that asked, of 20 at once too', async () => {
    const { email } = await signedUp(office)
    const owner = office.browser()
    const code = await mailed(email, () => owner.call('signIn', { email }))
    await Promise.all(
      Array.from({ length: 20 }, () => owner.request('finalizeMagicAuth', { email, code: wrong(code) })),
    )
    expect(await owner.request('finalizeMagicAuth', { email, code })).toMatchObject({
      status: 400,
      body: { error: 'invalid-code' },
    })
  })

  it('are not replaced by what another browser asks for', async () => {
    const { email } = await signedUp(office)
    const [owner, stranger] = [office.browser(), office.browser()]
    const code = await mailed(email, () => owner.call('signIn', { email }))
    const second = await mailed(email, () => stranger.call('resendMagicAuth', { email }))
    if (second !== code)
      expect((await owner.request('finalizeMagicAuth', { email, code: second })).status).toBe(400)
    expect((await owner.request('finalizeMagicAuth', { email, code })).status).toBe(200)
  })

  it('are replaced by the newer one of the same browser', async () => {
    const { email } = await signedUp(office)
    const owner = office.browser()
    const first = await mailed(email, () => owner.call('signIn', { email }))
    const second = await mailed(email, () => owner.call('resendMagicAuth', { email }))
    if (first !== second)
      expect((await owner.request('finalizeMagicAuth', { email, code: first })).status).toBe(400)
    expect((await owner.request('finalizeMagicAuth', { email, code: second })).status).toBe(200)
  })

  it('work in a browser that asked for none: the newest of all', async () => {
    const { email } = await signedUp(office)
    const first = await mailed(email, () => office.browser().call('signIn', { email }))
    const second = await mailed(email, () => office.browser().call('signIn', { email }))
    if (first !== second)
      expect((await office.browser().request('finalizeMagicAuth', { email, code: first })).status).toBe(400)
    expect((await office.browser().request('finalizeMagicAuth', { email, code: second })).status).toBe(200)
  })

  it('do what their own browser asked for, whatever another one has begun since', async () => {
    const victim = await signedUp(office)
    const token = await linkTokenOf(await newFounder(office, 'Trap'))
    const browser = office.browser()
    const { email } = victim
    const code = await mailed(email, () => browser.call('signIn', { email }))
    await office.browser().call('memberSignUp', { email, inviteToken: token })
    await browser.call('finalizeMagicAuth', { email, code })
    expect((await browser.call('getCurrentUser')).organizationMemberships).toEqual([])
  })

  it('can be had from one network so often a minute, by any way; other networks are not locked out', async () => {
    const { email } = await signedUp(limited)
    const stranger = limited.browser()
    const answers = []
    for (const ask of ['signIn', 'signUp', 'resendMagicAuth'] as const)
      answers.push((await stranger.request(ask, { email })).status)
    expect(answers).toEqual([200, 201, 200])
    const refused = await stranger.request('signIn', { email })
    expect(refused).toMatchObject({ status: 429, body: { error: 'rate-limited' } })
    expect(refused.headers.get('ratelimit-limit')).toBe('4')
    expect(refused.headers.get('ratelimit-remaining')).toBe('0')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await rotating().request('signIn', { email })).status).toBe(200)
  })

  it.each(['known', 'unknown'])(
    'can be had so often an hour from all networks, of an address that is %s',
    async (kind) => {
      const email = kind === 'known' ? (await signedUp(limited)).email : freshEmail()
      const asked = kind === 'known' ? 1 : 0
      for (let count = asked; count < 7; count++)
        expect((await rotating().request('signIn', { email })).status).toBe(200)
      for (const ask of ['signIn', 'signUp', 'resendMagicAuth'] as const)
        expect((await rotating().request(ask, { email })).status).toBe(429)
      expect((await mailsTo(limited, email)).length).toBe(7)
    },
  )

  it('can still be had where the address has signed in before', async () => {
    const { email, browser } = await signedUp(limited)
    const other = await signedUp(limited)
    for (let count = 1; count < 7; count++) await rotating().call('signIn', { email })
    expect((await rotating().request('signIn', { email })).status).toBe(429)
    expect((await other.browser.request('signIn', { email })).status).toBe(429)
    await browser.call('signOut')
    const code = await mailed(email, () => browser.call('signIn', { email }), limited)
    expect((await browser.request('finalizeMagicAuth', { email, code })).status).toBe(200)
  })

  it('take so many wrong tries an hour and a day over all browsers, of unknown addresses too', async () => {
    const { email } = await signedUp(limited)
    const guess = (address: string) =>
      rotating().request('finalizeMagicAuth', { email: address, code: '000000' })
    const statuses = async (address: string, count: number) => {
      const answers = []
      for (let tries = 0; tries < count; tries++) answers.push((await guess(address)).status)
      return answers
    }
    for (const address of [email, freshEmail()]) {
      expect(await statuses(address, 11)).toEqual([...Array(10).fill(400), 429])
      const hour = "delete from rate_limits where key like 'guesses-per-email-hour:%'"
      await limited.database.pool.query(hour)
      expect(await statuses(address, 5)).toEqual([...Array(4).fill(400), 429])
      await limited.database.pool.query(hour)
      expect((await guess(address)).headers.get('retry-after')).toMatch(/^8\d{4}$/)
    }
  })

  it('count no right try and no other refusal as a guess, and let none past the limit who guess at once', async () => {
    const { email, browser } = await signedUp(limited)
    for (let count = 0; count < 2; count++) {
      const code = await mailed(email, () => browser.call('signIn', { email }), limited)
      const answer = await rotating().request('finalizeMagicAuth', { email, code })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('ratelimit-remaining')).toBe('10')
    }
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => rotating().request('finalizeMagicAuth', { email, code: '000000' })),
    )
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20)
  })

  it('let a person who signed in before try, five times a code, after strangers have used up the tries', async () => {
    const { email, browser } = await signedUp(limited)
    await browser.call('signOut')
    const code = await mailed(email, () => browser.call('signIn', { email }), limited)
    const tries = Array.from({ length: 11 }, () =>
      rotating().request('finalizeMagicAuth', { email, code: '000000' }),
    )
    await Promise.all(tries)
    expect((await rotating().request('finalizeMagicAuth', { email, code })).status).toBe(429)
    for (let count = 0; count < 4; count++)
      expect((await browser.request('finalizeMagicAuth', { email, code: wrong(code) })).status).toBe(400)
    expect((await browser.request('finalizeMagicAuth', { email, code })).status).toBe(200)
  })

  it('of addresses that sign in elsewhere cost those nothing: none is locked out of single sign-on', async () => {
    const issuer = await openHostileIssuer()
    const { organizationId } = await newFounder(limited)
    const [domain] = freshEmail('d').split('@')
    await giveDomain(limited, organizationId, `${domain}.example`)
    await connectToIssuer(limited, organizationId, issuer.issuer)
    const email = `ada@${domain}.example`
    for (let count = 0; count < 8; count++) {
      const answer = await rotating().request('signIn', { email })
      expect(answer).toMatchObject({ status: 200, body: { authData: { authMethod: 'sso' } } })
    }
    await issuer.close()
  })

  it('of two addresses that a new browser asks for at once both work there', async () => {
    const browser = office.browser()
    const emails = [freshEmail(), freshEmail()]
    await Promise.all(emails.map((email) => browser.call('signUp', { email })))
    for (const email of emails)
      await browser.call('finalizeMagicAuth', { email, code: await codeFor(office, email) })
  })

  it('keep the name of the browser and its earlier sign-ins in cookies that scripts cannot read', async () => {
    const email = freshEmail()
    const asked = await office.browser().request('signUp', { email })
    expect(asked.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^atrium_browser=brw_[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(
        /^atrium_browser_[0-9a-f]{16}=brw_[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
      ),
    ])
    const code = await codeFor(office, email)
    const { headers } = await office.browser().request('finalizeMagicAuth', { email, code })
    const [, known] = headers.getSetCookie()
    expect(known).toMatch(/^atrium_known=[\w.~-]{20,60}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(known).not.toContain(email.split('@')[0])
  })
})
