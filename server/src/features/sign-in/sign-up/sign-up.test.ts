import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshEmail, openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { codeFor, mailsTo, newPerson } from '../../../../tests/people.ts'

describe('signUp', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('makes an unverified account, mails a code, and makes no session', async () => {
    const email = freshEmail()
    const answer = await office.browser().request('signUp', { email })
    expect(answer).toMatchObject({ status: 201 })
    expect(answer.body).toEqual({ code: 201, message: 'A code is on its way to this address' })
    expect(answer.headers.get('set-cookie')).not.toContain('atrium_session')
    const { rows } = await office.database.pool.query(
      'select email_verified_at from users where email = $1',
      [email],
    )
    expect(rows).toEqual([{ email_verified_at: null }])
    const browser = office.browser()
    await browser.call('finalizeMagicAuth', { email, code: await codeFor(office, email) })
    const verified = await office.database.pool.query(
      'select email_verified_at from users where email = $1',
      [email],
    )
    expect(verified.rows[0].email_verified_at).toBeInstanceOf(Date)
  })

  it('answers alike where there is an account: its owner gets a code, and keeps the account', async () => {
    const { email, id } = await newPerson(office)
    const answer = await office.browser().request('signUp', { email })
    expect(answer).toMatchObject({ status: 201, body: { code: 201 } })
    const { user } = await office
      .browser()
      .call('finalizeMagicAuth', { email, code: await codeFor(office, email) })
    expect(user.id).toBe(id)
  })

  it('makes one account of 20 sign-ups at once', async () => {
    const email = freshEmail()
    await Promise.all(Array.from({ length: 20 }, () => office.browser().call('signUp', { email })))
    const { rows } = await office.database.pool.query('select 1 from users where email = $1', [email])
    expect(rows).toHaveLength(1)
    const live = await office.database.pool.query(
      'select 1 from email_codes where email = $1 and ended_at is null',
      [email],
    )
    // one for each browser
    expect(live.rows).toHaveLength(20)
    expect(await mailsTo(office, email)).toHaveLength(20)
  })

  it('keeps one code of 20 sign-ups at once in one browser', async () => {
    const [email, browser] = [freshEmail(), office.browser()]
    await browser.call('signUp', { email })
    await Promise.all(Array.from({ length: 20 }, () => browser.call('signUp', { email })))
    const { rows } = await office.database.pool.query(
      'select 1 from email_codes where email = $1 and ended_at is null',
      [email],
    )
    expect(rows).toHaveLength(1)
  })

  it('refuses what is no address', async () => {
    expect(await office.browser().request('signUp', { email: 'me@localhost' })).toMatchObject({ status: 400 })
  })
})
