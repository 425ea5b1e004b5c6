import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { codeFor, mailsTo, newFounder, newMember, newPerson } from '../../../tests/people.ts'
import { until } from '../../../tests/until.ts'

describe('deleteAccount', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('mails a code to the address of the account, and deletes nothing yet', async () => {
    const { browser, email, id } = await newPerson(office)
    const { expiresAt, ...said } = await browser.call('deleteAccount')
    expect(said).toEqual({ code: 200, message: 'A code is on its way to your address' })
    expect(Date.parse(expiresAt)).toBeGreaterThan(office.clock.now().getTime())
    expect(await codeFor(office, email)).toMatch(/^\d{6}$/)
    expect((await mailsTo(office, email))[0]?.text).toContain('cannot be brought back')
    expect((await browser.call('getCurrentUser')).id).toBe(id)
  })

  it('is refused, in words, to the last admin of an organization with others in it', async () => {
    const founder = await newFounder(office, 'Acme of the last admin')
    await newMember(office, founder, 'moderator')
    const answer = await founder.browser.request('deleteAccount')
    expect(answer).toMatchObject({
      status: 409,
      body: { error: 'last-admin', message: expect.stringContaining('Acme of the last admin') },
    })
    expect(await mailsTo(office, founder.email)).toEqual([])
  })

  it('is open to a member who is alone in an organization, and to an admin beside another one', async () => {
    const founder = await newFounder(office)
    expect((await founder.browser.request('deleteAccount')).status).toBe(200)
    const admin = await newMember(office, founder, 'admin')
    expect((await admin.browser.request('deleteAccount')).status).toBe(200)
    await until(async () => (await mailsTo(office, admin.email)).some(({ code }) => code))
  })
})
