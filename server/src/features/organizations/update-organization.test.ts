import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { auditOf, invitationTokenFor, newFounder, newMember, newPerson } from '../../../tests/people.ts'

describe('updateOrganization', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('renames it for everybody, and writes down from what to what', async () => {
    const founder = await newFounder(office, 'Before')
    const { organizationId } = founder
    const renamed = await founder.browser.call('updateOrganization', { organizationId, name: ' After ' })
    expect(renamed).toEqual({ id: organizationId, organizationName: 'After', domains: [] })
    const member = await newMember(office, founder, 'guest')
    expect(await member.browser.call('listOrganizations')).toMatchObject([{ organizationName: 'After' }])
    expect(await auditOf(founder)).toContainEqual(
      expect.objectContaining({
        action: 'organization.renamed',
        target: { kind: 'organization', id: organizationId },
        detail: { from: 'Before', to: 'After' },
      }),
    )
  })

  it('renames an organization of the caller’s that is not the active one', async () => {
    const founder = await newFounder(office, 'Active')
    const second = await founder.browser.call('createOrganization', { name: 'Second' })
    await founder.browser.call('updateOrganization', { organizationId: second.id, name: 'Other' })
    expect(await founder.browser.call('listOrganizations')).toMatchObject([
      { organizationName: 'Active' },
      { organizationName: 'Other' },
    ])
  })

  it('writes nothing down where the name is the one it has', async () => {
    const founder = await newFounder(office, 'Same')
    const before = await auditOf(founder)
    const { organizationId } = founder
    await founder.browser.call('updateOrganization', { organizationId, name: 'Same' })
    expect(await auditOf(founder)).toEqual(before)
  })

  it.each(['guest', 'member', 'moderator'] as const)(
    'is refused to a %s, whatever the body',
    async (role) => {
      const founder = await newFounder(office, 'Kept')
      const member = await newMember(office, founder, role)
      const bodies = [{ organizationId: founder.organizationId, name: 'Taken' }, { organizationId: 5 }, {}]
      for (const body of bodies) {
        const answer = await member.browser.request(
          'updateOrganization',
          body as { organizationId: string; name: string },
        )
        expect(answer).toMatchObject({ status: 403, body: { error: 'role-not-allowed' } })
      }
      expect(await founder.browser.call('listOrganizations')).toMatchObject([{ organizationName: 'Kept' }])
    },
  )

  it('who is admin of one and member of another renames the one only', async () => {
    const [admin, other] = [await newFounder(office, 'Own'), await newFounder(office, 'Other')]
    await other.browser.call('sendInvitation', { email: admin.email })
    await admin.browser.call('acceptInvitation', { token: await invitationTokenFor(office, admin.email) })
    const rename = (organizationId: string) =>
      admin.browser.request('updateOrganization', { organizationId, name: 'Taken' })
    expect(await rename(other.organizationId)).toMatchObject({ status: 403 })
    expect(await other.browser.call('listOrganizations')).toMatchObject([{ organizationName: 'Other' }])
  })

  it('does not find an organization of others, a deleted one, or none', async () => {
    const [founder, foreign] = [await newFounder(office), await newFounder(office, 'Foreign')]
    const gone = await founder.browser.call('createOrganization', { name: 'Gone' })
    await founder.browser.call('deleteOrganization', { organizationId: gone.id })
    for (const organizationId of [foreign.organizationId, gone.id, 'org_00000000000000000000000000', 'x']) {
      const answer = await founder.browser.request('updateOrganization', { organizationId, name: 'Taken' })
      expect(answer).toMatchObject({ status: 404, body: { error: 'organization-not-found' } })
    }
    expect(await foreign.browser.call('listOrganizations')).toMatchObject([{ organizationName: 'Foreign' }])
  })

  it.each(['', '   ', 'x'.repeat(101), 'a\nb', '\u202eevil', 5, null])(
    'refuses the name %j',
    async (name) => {
      const founder = await newFounder(office)
      const { organizationId } = founder
      const answer = await founder.browser.request('updateOrganization', {
        organizationId,
        name: name as string,
      })
      expect(answer).toMatchObject({ status: 400, body: { details: [{ field: 'name' }] } })
    },
  )

  it('is refused to a person without any organization', async () => {
    const { browser } = await newPerson(office)
    const answer = await browser.request('updateOrganization', { organizationId: 'x', name: 'Taken' })
    expect(answer).toMatchObject({ status: 403 })
  })
})
