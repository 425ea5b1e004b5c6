import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scimClient } from '../../../../tests/chapters/scim.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { auditOf, newFounder } from '../../../../tests/people.ts'

describe('revokeDirectoryConnection', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('refuses its next call, on the other node too, and keeps it in the audit trail', async () => {
    const other = await openTestOffice({ beside: office })
    try {
      const founder = await newFounder(office)
      const { id, token } = await founder.browser.call('createDirectoryConnection', { name: 'Entra' })
      for (const node of [office, other])
        expect(await scimClient(node, token).get('/Users')).toMatchObject({ status: 200 })
      expect(await founder.browser.request('revokeDirectoryConnection', { id })).toMatchObject({
        status: 204,
      })
      for (const node of [office, other])
        expect(await scimClient(node, token).get('/Users')).toMatchObject({
          status: 401,
          body: { status: '401' },
        })
      expect((await auditOf(founder)).at(-1)).toMatchObject({
        action: 'directory-connection.revoked',
        target: { kind: 'directory-connection', id },
        detail: { name: 'Entra' },
      })
    } finally {
      await other.close()
    }
  })

  it('finds none of another organization, none twice, and no service token', async () => {
    const [founder, other] = [await newFounder(office), await newFounder(office)]
    const { id, token } = await founder.browser.call('createDirectoryConnection', { name: 'Entra' })
    const service = await founder.browser.call('createServiceToken', {
      name: 'T',
      operations: ['listMembers'],
    })
    const missing = { status: 404, body: { error: 'directory-connection-not-found' } }
    expect(await other.browser.request('revokeDirectoryConnection', { id })).toMatchObject(missing)
    for (const wrong of [service.id, '0', 'x'])
      expect(await founder.browser.request('revokeDirectoryConnection', { id: wrong })).toMatchObject(missing)
    expect(await scimClient(office, token).get('/Users')).toMatchObject({ status: 200 })
    await founder.browser.call('revokeDirectoryConnection', { id })
    expect(await founder.browser.request('revokeDirectoryConnection', { id })).toMatchObject(missing)
  })
})
