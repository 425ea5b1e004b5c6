import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { surferOf } from '../../../../tests/chapters/surfer.ts'
import { freshEmail, openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { codeFor, mailsTo, newPerson, pilotTokenOf, signInAgain } from '../../../../tests/people.ts'
import { until } from '../../../../tests/until.ts'

describe('adminSignUp', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  const pilotToken = (lifetimeSeconds?: number) => pilotTokenOf(office, lifetimeSeconds)
  const ask = (email: string, inviteToken: string) =>
    office.browser().request('adminSignUp', { email, inviteToken })

  async function provenAt(email: string): Promise<(Date | null)[]> {
    const { rows } = await office.database.pool.query(
      'select email_verified_at from users where email = $1',
      [email],
    )
    return rows.map(({ email_verified_at }) => email_verified_at)
  }

  it('signs up by a token, which the proven code uses up', async () => {
    const [token, email] = [await pilotToken(), freshEmail()]
    expect(await ask(email, token)).toMatchObject({ status: 201, body: { code: 201 } })
    const browser = office.browser()
    await browser.call('finalizeMagicAuth', { email, code: await codeFor(office, email) })
    const { id } = await browser.call('createOrganization', { name: 'Pilot' })
    expect((await browser.call('getCurrentUser')).currentOrganizationId).toBe(id)
    for (const again of [email, freshEmail()]) {
      expect(await ask(again, token)).toMatchObject({ status: 400, body: { error: 'invalid-invite-token' } })
    }
  })

  it('costs a mistyped address nothing: the token is spent by whichever address is proven first', async () => {
    const [token, mistyped, email] = [await pilotToken(), freshEmail(), freshEmail()]
    for (const one of [mistyped, email]) expect(await ask(one, token)).toMatchObject({ status: 201 })
    const [first, second] = [await codeFor(office, email), await codeFor(office, mistyped)]
    await office.browser().call('finalizeMagicAuth', { email, code: first })
    // the code is right, and stays so: nothing of it was committed
    for (let tries = 0; tries < 6; tries++)
      expect(
        await office.browser().request('finalizeMagicAuth', { email: mistyped, code: second }),
      ).toMatchObject({ status: 400, body: { error: 'invalid-invite-token' } })
    expect(await provenAt(mistyped)).toEqual([null])
  })

  it('signs in one of 8 addresses that are proven at once, and leaves the others as they were', async () => {
    const token = await pilotToken()
    const emails = Array.from({ length: 8 }, () => freshEmail())
    for (const email of emails) expect(await ask(email, token)).toMatchObject({ status: 201 })
    const codes = await Promise.all(emails.map((email) => codeFor(office, email)))
    const answers = await Promise.all(
      emails.map((email, place) =>
        office.browser().request('finalizeMagicAuth', { email, code: codes[place] as string }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)])
    const proven = await Promise.all(emails.map(provenAt))
    answers.forEach(({ status, body }, place) => {
      expect(proven[place]).toEqual([status === 200 ? expect.any(Date) : null])
      if (status !== 200) expect(body).toMatchObject({ error: 'invalid-invite-token' })
    })
  })

  it('refuses unknown and expired tokens, and sends no mail', async () => {
    const email = freshEmail()
    const expired = await pilotToken(10)
    office.clock.advance(11)
    for (const token of ['pilot_nothing', expired]) {
      expect(await ask(email, token)).toMatchObject({ status: 400, body: { code: 400 } })
    }
    expect(await mailsTo(office, email)).toEqual([])
  })

  it('stores no token in clear', async () => {
    const [token, email] = [await pilotToken(), freshEmail()]
    await ask(email, token)
    const { rows } = await office.database.pool.query(
      `select (select json_agg(p) from pilot_tokens p) as tokens, (select json_agg(r) from code_requests r) as waiting,
        (select encode(sealed_purpose, 'escape') from code_requests where email = $1) as sealed`,
      [email],
    )
    expect(rows[0].sealed).toEqual(expect.any(String))
    expect(JSON.stringify(rows)).not.toContain(token.slice(6))
  })

  it('does not exist where the environment is not listed, whatever the body', async () => {
    const closed = await openTestOffice({ settings: { PILOT_SIGN_UP_ENVIRONMENTS: 'development' } })
    try {
      for (const body of [{ email: freshEmail(), inviteToken: 'x' }, {}]) {
        const answer = await fetch(`${closed.baseUrl}/auth/admin-sign-up`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
        expect(answer.status).toBe(404)
      }
    } finally {
      await closed.close()
    }
  })
})

describe('where sign-up is by invitation', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice({ settings: { SIGN_UP: 'invitation' } })
  })
  afterAll(() => office.close())

  it('an account that was never proven is unknown to every way in but what it was begun by', async () => {
    const [token, used, email] = [await pilotTokenOf(office), freshEmail(), freshEmail()]
    const browser = office.browser()
    await browser.call('adminSignUp', { email, inviteToken: token })
    const code = await codeFor(office, email)
    const elsewhere = office.browser()
    for (const way of ['signIn', 'resendMagicAuth'] as const) {
      const mails = (await mailsTo(office, email)).length
      await elsewhere.call('signIn', { email })
      await elsewhere.call(way, { email })
      await until(async () => (await mailsTo(office, email)).length === mails + 2)
    }
    expect((await mailsTo(office, email)).filter((mail) => mail.code)).toHaveLength(1)

    const other = office.browser()
    await other.call('adminSignUp', { email: used, inviteToken: token })
    await other.call('finalizeMagicAuth', { email: used, code: await codeFor(office, used) })
    expect(await browser.request('finalizeMagicAuth', { email, code })).toMatchObject({
      status: 400,
      body: { error: 'invalid-invite-token' },
    })
    const surfer = surferOf(office)
    const { authData } = await surfer.client.call('continueWithProviderA')
    const end = await surfer.logIn(authData.redirectURL, email)
    const arrived = await surfer.client.request('finalizeOauth', { code: end.searchParams.get('code') ?? '' })
    expect(arrived).toMatchObject({ body: { error: 'sign-up-by-invitation' } })
  })

  it('a code that was mailed for an invitation is for nothing else, whatever its browser asks for meanwhile', async () => {
    const [token, email] = [await pilotTokenOf(office), freshEmail()]
    const browser = office.browser()
    await browser.call('adminSignUp', { email, inviteToken: token })
    const code = await codeFor(office, email)
    // as between the two steps of asking for another one: what it is for is kept, and the mail is not yet queued
    await office.database.pool.query('update code_requests set sealed_purpose = null where email = $1', [
      email,
    ])
    expect(await browser.request('finalizeMagicAuth', { email, code })).toMatchObject({
      status: 400,
      body: { error: 'invalid-code' },
    })
  })

  it('a person who is proven signs in as ever', async () => {
    const { email } = await newPerson(office)
    expect((await signInAgain(office, email)).user).toMatchObject({ email })
  })
})
