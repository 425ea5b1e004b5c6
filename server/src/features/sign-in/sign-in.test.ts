import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshEmail, openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { codeFor, mailsTo, newPerson } from '../../../tests/people.ts'

describe('signIn', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('mails a code to an account and answers magic_auth with no other field', async () => {
    const { email } = await newPerson(office)
    const answer = await office.browser().request('signIn', { email })
    expect(answer).toMatchObject({ status: 200, body: { authData: { authMethod: 'magic_auth' } } })
    expect(answer.body).toEqual({ authData: { authMethod: 'magic_auth' } })
    expect(await codeFor(office, email)).toMatch(/^\d{6}$/)
  })

  it('answers alike for an unknown address, makes no account and mails a pointer without a code', async () => {
    const known = await newPerson(office)
    const unknown = freshEmail('stranger')
    const [first, second] = [
      await office.browser().request('signIn', { email: known.email }),
      await office.browser().request('signIn', { email: unknown }),
    ]
    expect({ status: second.status, body: second.body }).toEqual({ status: first.status, body: first.body })
    const mails = await mailsTo(office, unknown)
    expect(mails).toHaveLength(1)
    expect(mails[0]).toMatchObject({ to: unknown })
    expect(mails[0]?.code).toBeUndefined()
    const { rows } = await office.database.pool.query('select 1 from users where email = $1', [unknown])
    expect(rows).toHaveLength(0)
  })

  it('takes an address in any spelling and mails the one it knows', async () => {
    const { email } = await newPerson(office, freshEmail('mixed'))
    await office.browser().call('signIn', { email: `  ${email.toUpperCase()} ` })
    expect((await mailsTo(office, email))[0]?.code).toMatch(/^\d{6}$/)
  })

  it.each([
    '',
    'nobody',
    'a@b',
    'a b@example.com',
    'a@exa mple.com',
    `${'x'.repeat(300)}@example.com`,
    'a@example.com\r\nBcc: b@example.com',
  ])('refuses %j: no address', async (email) => {
    const answer = await office.browser().request('signIn', { email })
    expect(answer).toMatchObject({ status: 400, body: { code: 400, details: [{ field: 'email' }] } })
  })

  it('refuses a value of the wrong type, never coerces it', async () => {
    const answer = await office.browser().request('signIn', { email: 42 as unknown as string })
    expect(answer).toMatchObject({ status: 400, body: { code: 400, error: 'invalid-input' } })
  })
})
