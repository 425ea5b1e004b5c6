import assert from 'node:assert/strict'
import { expectRefusal, expectStatus } from '../expect.ts'
import type { Person } from '../person.ts'
import type { Steps } from '../steps.ts'
import type { Invited } from './invitations.ts'

interface Grown {
  founder: Person
  id: string
  invited: Invited
}

export async function members(steps: Steps, grown: Grown): Promise<void> {
  const { check } = steps
  const { founder, id, invited } = grown
  const { byInvitation: moderator, byLink: member } = invited
  await check('the members are found by part of their address, in any case', async () => {
    const { data, page } = await member.client.call('listMembers', { query: member.email.toUpperCase() })
    assert.deepEqual(page, { limit: 20, offset: 0, total: 1 })
    assert.equal(data[0]?.email, member.email)
    assert.equal((await member.client.call('listMembers')).page.total, 3)
  })
  await check('ranks hold: a moderator neither appoints nor removes an admin', async () => {
    const admin = await idOf(founder)
    const role = 'member'
    expectRefusal(await moderator.client.request('updateMember', { id: admin, role }), 403)
    expectRefusal(await moderator.client.request('removeMember', { id: admin }), 403)
    expectRefusal(await founder.client.request('updateMember', { id: admin, role }), 409)
    expectRefusal(await founder.client.request('removeMember', { id: admin }), 409)
  })
  await check('a role that is given holds at once', async () => {
    const target = await idOf(moderator)
    await founder.client.call('updateMember', { id: target, role: 'member' })
    expectRefusal(await moderator.client.request('resetInviteLink'), 403)
    await founder.client.call('updateMember', { id: target, role: 'moderator' })
    expectStatus(await moderator.client.request('resetInviteLink'), 200)
  })
  await check('whoever is removed works there no more', async () => {
    expectStatus(await moderator.client.request('removeMember', { id: await idOf(member) }), 204)
    expectRefusal(await member.client.request('listMembers'), 403)
    assert.deepEqual(await member.client.call('listOrganizations'), [])
  })
  await check('the trail tells all of it, to admins only', async () => {
    const { data } = await founder.client.call('listAuditLog', { limit: 100 })
    const actions = data.map(({ action }) => action).reverse()
    assert.equal(actions[0], 'organization.created')
    assert.equal(actions.at(-1), 'member.removed')
    assert.equal(data[0]?.actor.id, await idOf(moderator))
    expectRefusal(await moderator.client.request('listAuditLog'), 403)
  })
  await check('the organization is deleted, and gone for everybody', async () => {
    expectRefusal(await moderator.client.request('deleteOrganization', { organizationId: id }), 403)
    expectStatus(await founder.client.request('deleteOrganization', { organizationId: id }), 200)
    for (const { client } of [founder, moderator]) {
      assert.deepEqual(await client.call('listOrganizations'), [])
      expectRefusal(await client.request('listMembers'), 403)
    }
  })
}

async function idOf({ client }: Person): Promise<string> {
  return (await client.call('getCurrentUser')).id
}
