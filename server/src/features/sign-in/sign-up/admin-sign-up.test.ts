import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshEmail, openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { codeFor, mailsTo, pilotTokenOf } from '../../../../tests/people.ts'

describe('adminSignUp', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  const pilotToken = (lifetimeSeconds?: number) => pilotTokenOf(office, lifetimeSeconds)
  const ask = (email: string, inviteToken: string) =>
    office.browser().request('adminSignUp', { email, inviteToken })

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

  it('keeps the token for the first address, of 20 at once for one', async () => {
    const token = await pilotToken()
    const emails = Array.from({ length: 20 }, () => freshEmail())
    const answers = await Promise.all(emails.map((email) => ask(email, token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(400)])
    const winner = emails[answers.findIndex(({ status }) => status === 201)] as string
    expect(await ask(winner, token)).toMatchObject({ status: 201 })
  })

  it('frees the token of an address that never proved itself', async () => {
    const token = await pilotToken()
    expect(await ask(freshEmail(), token)).toMatchObject({ status: 201 })
    office.clock.advance(10 * 60 + 1)
    expect(await ask(freshEmail(), token)).toMatchObject({ status: 201 })
  })

  it('refuses unknown and expired tokens, and mails nobody', async () => {
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
