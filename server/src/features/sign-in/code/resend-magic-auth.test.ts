import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshEmail, openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { codeFor, mailsTo, newPerson } from '../../../../tests/people.ts'

describe('resendMagicAuth', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('mails a new code, and the one before no longer works', async () => {
    const { email } = await newPerson(office)
    await office.browser().call('signIn', { email })
    const first = await codeFor(office, email)
    const answer = await office.browser().request('resendMagicAuth', { email })
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.body).toEqual({ code: 200, message: 'If there is an account, a new code is on its way' })
    const second = await codeFor(office, email)
    // Two codes may be the same by chance; then there is nothing to tell apart.
    if (first !== second) {
      expect(await office.browser().request('finalizeMagicAuth', { email, code: first })).toMatchObject({
        status: 400,
      })
    }
    expect(await office.browser().request('finalizeMagicAuth', { email, code: second })).toMatchObject({
      status: 200,
    })
  })

  it('answers alike for an unknown address and mails it no code', async () => {
    const email = freshEmail('stranger')
    expect(await office.browser().request('resendMagicAuth', { email })).toMatchObject({
      status: 200,
      body: { code: 200 },
    })
    expect((await mailsTo(office, email)).map((mail) => mail.code)).toEqual([undefined])
  })

  it('refuses what is no address', async () => {
    expect(await office.browser().request('resendMagicAuth', { email: 'x' })).toMatchObject({ status: 400 })
  })
})
