import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshEmail, openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { codeFor, newFounder, newPerson, signInAgain } from '../../../../tests/people.ts'

const wrong = (code: string) => ((Number(code) + 1) % 1_000_000).toString().padStart(6, '0')

describe('finalizeMagicAuth', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  async function codeSent() {
    const { email, id } = await newPerson(office)
    await office.browser().call('signIn', { email })
    return { email, id, code: await codeFor(office, email) }
  }
  const finalize = (email: string, code: string) =>
    office.browser().request('finalizeMagicAuth', { email, code })

  it('signs in with the session user and an HttpOnly cookie', async () => {
    const { email, id, code } = await codeSent()
    const answer = await finalize(email, code)
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.body).toEqual({ user: { id, email, firstName: '', lastName: '', avatarURL: '' } })
    const cookie = answer.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^atrium_session=ats_[\w-]{43}; /)
    expect(cookie).toContain('HttpOnly')
    expect(cookie).toContain('SameSite=Lax')
    expect(cookie).toContain('Path=/')
    expect(cookie).not.toContain('Domain')
  })

  it('refuses a wrong code, and counts it: the sixth try fails even with the right one', async () => {
    const { email, code } = await codeSent()
    for (let tries = 0; tries < 5; tries++) {
      expect(await finalize(email, wrong(code))).toMatchObject({
        status: 400,
        body: { code: 400, error: 'invalid-code' },
      })
    }
    expect(await finalize(email, code)).toMatchObject({ status: 400, body: { error: 'invalid-code' } })
  })

  it('takes the right code at the fifth try', async () => {
    const { email, code } = await codeSent()
    for (let tries = 0; tries < 4; tries++) await finalize(email, wrong(code))
    expect(await finalize(email, code)).toMatchObject({ status: 200 })
  })

  it('takes a code once: of 20 at the same time one wins', async () => {
    const { email, code } = await codeSent()
    const answers = await Promise.all(Array.from({ length: 20 }, () => finalize(email, code)))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    expect(answers.filter((answer) => answer.status === 400)).toHaveLength(19)
    expect(await finalize(email, code)).toMatchObject({ status: 400 })
  })

  it('refuses a code after ten minutes', async () => {
    const { email, code } = await codeSent()
    office.clock.advance(10 * 60 + 1)
    expect(await finalize(email, code)).toMatchObject({ status: 400, body: { error: 'invalid-code' } })
  })

  it('answers unknown addresses and codes of others as it answers wrong codes', async () => {
    const { code } = await codeSent()
    const other = await newPerson(office)
    const answers = [await finalize(freshEmail(), code), await finalize(other.email, code)]
    for (const answer of answers) {
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 400, message: 'The code is wrong or has expired', error: 'invalid-code' },
      })
    }
  })

  it('stores no code in clear: neither beside the hash nor in the mail that waits', async () => {
    const { email, code } = await codeSent()
    const { rows } = await office.database.pool.query('select * from email_codes where email = $1', [email])
    expect(JSON.stringify(rows)).not.toContain(code)
  })

  it('enters the only organization of a person', async () => {
    const founder = await newFounder(office)
    const { browser } = await signInAgain(office, founder.email)
    expect((await browser.call('getCurrentUser')).currentOrganizationId).toBe(founder.organizationId)
  })

  it('asks a person of several organizations to choose, and makes no session until then', async () => {
    const founder = await newFounder(office, 'First')
    const second = await founder.browser.call('createOrganization', { name: 'Second' })
    const { browser, user } = await signInAgain(office, founder.email)
    expect(user).toEqual({
      id: founder.id,
      email: founder.email,
      pendingAuthenticationToken: expect.stringMatching(/^pat_/),
      organizations: [
        { id: founder.organizationId, name: 'First' },
        { id: second.id, name: 'Second' },
      ],
    })
    expect(await browser.request('getCurrentUser')).toMatchObject({ status: 401 })
  })

  it('does not take a code that was mailed before SECRET_KEY was changed', async () => {
    const { email, code } = await codeSent()
    const changed = await openTestOffice({ beside: office, settings: { SECRET_KEY: 'k'.repeat(40) } })
    try {
      const answer = await changed.browser().request('finalizeMagicAuth', { email, code })
      expect(answer).toMatchObject({ status: 400, body: { code: 400 } })
    } finally {
      await changed.close()
    }
    expect((await finalize(email, code)).status).toBe(200)
  })

  it('never takes over the session a browser brought along', async () => {
    const person = await newPerson(office)
    const before = await person.browser.request('getCurrentUser')
    expect(before.status).toBe(200)
    await person.browser.call('signIn', { email: person.email })
    const code = await codeFor(office, person.email)
    const stolen = office.browser()
    const { rows: sessions } = await office.database.pool.query(
      'select id from sessions where user_id = $1 and revoked_at is null',
      [person.id],
    )
    expect(sessions).toHaveLength(1)
    await person.browser.call('finalizeMagicAuth', { email: person.email, code })
    const { rows: after } = await office.database.pool.query(
      'select id from sessions where user_id = $1 and revoked_at is null',
      [person.id],
    )
    expect(after).toHaveLength(1)
    expect(after[0].id).not.toBe(sessions[0].id)
    expect(await stolen.request('getCurrentUser')).toMatchObject({ status: 401 })
  })
})
