import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember, type Person } from '../../../tests/people.ts'

describe('revokeServiceToken', () => {
  let office: TestOffice
  let founder: Person & { organizationId: string }
  beforeAll(async () => {
    office = await openTestOffice()
    founder = await newFounder(office)
  })
  afterAll(() => office.close())

  const make = (by: Person) =>
    by.browser.call('createServiceToken', { name: 'Payroll', operations: ['listMembers'] })
  const statusOf = async (token: string, at = office) =>
    (await at.program(token).request('listMembers')).status

  it('ends a token on every node at once, and once', async () => {
    const second = await openTestOffice({ beside: office })
    try {
      const { id, token } = await make(founder)
      expect([await statusOf(token), await statusOf(token, second)]).toEqual([200, 200])
      expect((await founder.browser.request('revokeServiceToken', { id })).status).toBe(204)
      expect([await statusOf(token), await statusOf(token, second)]).toEqual([401, 401])
      expect(await founder.browser.request('revokeServiceToken', { id })).toMatchObject({
        status: 404,
        body: { error: 'token-not-found' },
      })
    } finally {
      await second.close()
    }
  })

  it('finds no token of another organization, and nothing that is no id', async () => {
    const other = await newFounder(office, 'Other')
    const { id, token } = await make(other)
    for (const one of [id, 'x', '99999999999999999999'])
      expect((await founder.browser.request('revokeServiceToken', { id: one })).status, one).toBe(404)
    expect(await statusOf(token)).toBe(200)
  })

  it('outlives the membership of its maker, and ends with the organization', async () => {
    const admin = await newMember(office, founder, 'admin')
    const { token } = await make(admin)
    await founder.browser.call('removeMember', { id: admin.id })
    expect(await statusOf(token)).toBe(200)
    await founder.browser.call('deleteOrganization', { organizationId: founder.organizationId })
    expect(await statusOf(token)).toBe(401)
  })
})
