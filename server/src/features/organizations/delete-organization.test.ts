import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { giveDomain, newDomainOwner } from '../../../tests/chapters/single-sign-on.ts'
import { freshEmail, openTestOffice, type TestOffice } from '../../../tests/office.ts'
import {
  freshCodeFor,
  linkTokenOf,
  newFounder,
  newMember,
  newPerson,
  type Person,
} from '../../../tests/people.ts'
import { until } from '../../../tests/until.ts'
import { verifyAuditTrail } from '../../access/audit/audit-verdict.ts'
import { trusted } from '../../platform/ids.ts'
import { restoreOrganization } from './restore-organization.ts'

describe('deleteOrganization', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  const restore = async (id: string, admin?: string) =>
    (await restoreOrganization(office.database.db, { organizationId: id, admin }, office.clock.now())) !==
    undefined
  async function deleteAccount({ browser, email }: Person) {
    const code = await freshCodeFor(office, email, () => browser.call('deleteAccount'))
    await browser.call('confirmAccountDeletion', { code })
  }
  const latest = async (organizationId: string, count: number) => {
    const { rows } = await office.database.pool.query(
      `select a.action, a.actor_kind, a.target_id, a.detail from audit_entries a
        join organizations o on o.id = a.organization_id
        where o.identity_organization_id = $1 order by a.sequence desc limit $2`,
      [organizationId, count],
    )
    return rows.reverse()
  }

  it('is answered as other operations are where no organization is active', async () => {
    const { browser } = await newPerson(office)
    const { organizationId } = await newFounder(office)
    const answers = [
      await browser.request('deleteOrganization', { organizationId }),
      await browser.request('listBots'),
    ]
    for (const answer of answers)
      expect(answer).toMatchObject({
        status: 403,
        body: { error: 'no-active-organization' },
      })
  })

  it('takes it from everybody at once: lists, sessions, connections', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const { organizationId } = founder
    expect(await founder.browser.call('deleteOrganization', { organizationId })).toEqual({
      code: 200,
      message: expect.any(String),
    })
    for (const { browser } of [founder, member]) {
      expect(await browser.call('listOrganizations')).toEqual([])
      expect(await browser.call('getCurrentUser')).toMatchObject({
        currentOrganizationId: '',
        organizationMemberships: [],
      })
      expect(await browser.request('listMembers')).toMatchObject({ status: 403 })
    }
    const { rows } = await office.database.pool.query(
      `select user_id as id from ended_access where cause = 'membership-ended' and user_id = any($1)`,
      [[founder.id, member.id]],
    )
    expect(rows.map(({ id }) => id).sort()).toEqual([founder.id, member.id].sort())
  })

  it('takes it away on every node', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const node = await openTestOffice({ beside: office })
    try {
      const headers = { cookie: `atrium_session=${member.cookie}` }
      const list = () => fetch(`${node.baseUrl}/members/list`, { method: 'POST', headers })
      expect((await list()).status).toBe(200)
      await founder.browser.call('deleteOrganization', { organizationId: founder.organizationId })
      await until(async () => (await list()).status === 403)
    } finally {
      await node.close()
    }
  })

  it('lets its people go on elsewhere', async () => {
    const founder = await newFounder(office, 'First')
    const second = await founder.browser.call('createOrganization', { name: 'Second' })
    await founder.browser.call('deleteOrganization', { organizationId: second.id })
    expect(await founder.browser.call('getCurrentUser')).toMatchObject({
      currentOrganizationId: founder.organizationId,
    })
    await founder.browser.call('deleteOrganization', { organizationId: founder.organizationId })
    const third = await founder.browser.call('createOrganization', { name: 'Third' })
    expect((await founder.browser.call('getCurrentUser')).currentOrganizationId).toBe(third.id)
  })

  it('of five deletions at once one is done, the others find nothing', async () => {
    const founder = await newFounder(office)
    await founder.browser.call('createOrganization', { name: 'Stays' })
    const { organizationId } = founder
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => founder.browser.request('deleteOrganization', { organizationId })),
    )
    const statuses = answers.map(({ status }) => status as number).sort()
    expect(statuses).toEqual([200, 404, 404, 404, 404])
  })

  it.each(['guest', 'member', 'moderator'] as const)(
    'is refused to a %s, whatever the body',
    async (role) => {
      const founder = await newFounder(office)
      const member = await newMember(office, founder, role)
      for (const organizationId of [founder.organizationId, 5 as never]) {
        expect(await member.browser.request('deleteOrganization', { organizationId })).toMatchObject({
          status: 403,
        })
      }
      expect(await member.browser.call('listOrganizations')).toHaveLength(1)
    },
  )

  it('does not find organizations of others', async () => {
    const [founder, foreign] = [await newFounder(office), await newFounder(office)]
    for (const organizationId of [foreign.organizationId, 'x']) {
      expect(await founder.browser.request('deleteOrganization', { organizationId })).toMatchObject({
        status: 404,
      })
    }
    expect(await foreign.browser.call('listOrganizations')).toHaveLength(1)
  })

  describe('restoring', () => {
    it('brings it back with its people and its link within thirty days', async () => {
      const founder = await newFounder(office, 'Phoenix')
      const member = await newMember(office, founder, 'moderator')
      const inviteToken = await linkTokenOf(founder)
      const { organizationId } = founder
      await founder.browser.call('deleteOrganization', { organizationId })
      expect(await restore(organizationId)).toBe(true)
      expect(await member.browser.call('listOrganizations')).toEqual([
        { organizationId, organizationName: 'Phoenix', userRole: 'moderator' },
      ])
      const newcomer = await newPerson(office)
      await newcomer.browser.call('joinOrganization', { inviteToken })
      const { rows } = await office.database.pool.query(
        `select a.organization_id, a.action, a.actor_user_id from audit_entries a
          join organizations o on o.id = a.organization_id
          where o.identity_organization_id = $1 order by a.sequence`,
        [organizationId],
      )
      expect(rows.slice(-3)).toMatchObject([
        { action: 'organization.deleted', actor_user_id: founder.id },
        { action: 'organization.restored', actor_user_id: null },
        { action: 'member.joined', actor_user_id: newcomer.id },
      ])
      const organization = trusted.organizationId(rows[0].organization_id)
      expect(await verifyAuditTrail(office.database.db, organization)).toMatchObject({
        brokenAt: undefined,
      })
    })

    it('brings its domains back as claims: none was looked at meanwhile', async () => {
      const { browser, email, organizationId, domain } = await newDomainOwner(office)
      const domains = async () => (await browser.call('listOrganizationDomains')).domains
      expect(await domains()).toMatchObject([{ domain, state: 'verified', provenByDns: true }])
      await browser.call('deleteOrganization', { organizationId })
      await restore(organizationId)
      await browser.call('switchOrganization', { email, organizationId })
      expect(await domains()).toMatchObject([{ domain, state: 'pending', provenByDns: false }])
      // what an earlier release has deleted kept them
      await giveDomain(office, organizationId, domain)
      await office.database.pool.query(
        'update organizations set deleted_at = $2 where identity_organization_id = $1',
        [organizationId, office.clock.now()],
      )
      await restore(organizationId)
      expect(await domains()).toMatchObject([{ domain, state: 'pending', provenByDns: false }])
    })

    it('wants an admin where the last one is gone: one of those who are left', async () => {
      const founder = await newFounder(office)
      const member = await newMember(office, founder, 'member')
      const stranger = await newPerson(office)
      const { organizationId } = founder
      await founder.browser.call('deleteOrganization', { organizationId })
      await deleteAccount(founder)
      await expect(restore(organizationId)).rejects.toThrow(`--admin <email>. Members: ${member.email}`)
      await expect(restore(organizationId, stranger.email)).rejects.toThrow('is no member')
      // still deleted
      expect(await member.browser.call('listOrganizations')).toEqual([])
      expect(await restore(organizationId, member.email)).toBe(true)
      expect(await member.browser.call('listOrganizations')).toMatchObject([
        { organizationId, userRole: 'admin' },
      ])
      expect(await latest(organizationId, 2)).toEqual([
        {
          action: 'organization.restored',
          actor_kind: 'operator',
          target_id: organizationId,
          detail: {},
        },
        {
          action: 'member.role-changed',
          actor_kind: 'operator',
          target_id: member.id,
          detail: { from: 'member', to: 'admin' },
        },
      ])
    })

    it('wants a person with an account where none is left', async () => {
      const founder = await newFounder(office)
      const { organizationId } = founder
      await deleteAccount(founder)
      await expect(restore(organizationId)).rejects.toThrow('Nobody is left')
      await expect(restore(organizationId, freshEmail())).rejects.toThrow('has no account')
      const again = await newPerson(office, founder.email)
      expect(await restore(organizationId, again.email)).toBe(true)
      expect(await again.browser.call('listOrganizations')).toMatchObject([
        { organizationId, userRole: 'admin' },
      ])
      expect((await latest(organizationId, 1))[0]).toMatchObject({
        action: 'member.joined',
        actor_kind: 'operator',
        detail: { role: 'admin', way: 'operator' },
      })
    })

    it('leaves an admin where they are', async () => {
      const founder = await newFounder(office)
      const member = await newMember(office, founder, 'guest')
      const { organizationId } = founder
      await founder.browser.call('deleteOrganization', { organizationId })
      expect(await restore(organizationId, founder.email)).toBe(true)
      expect((await latest(organizationId, 1))[0]).toMatchObject({ action: 'organization.restored' })
      expect(await member.browser.call('listOrganizations')).toMatchObject([{ userRole: 'guest' }])
    })

    it('does nothing where there is nothing to bring back', async () => {
      const founder = await newFounder(office)
      for (const id of [founder.organizationId, 'org_00000000000000000000000000', 'x', '']) {
        expect(await restore(id)).toBe(false)
      }
    })

    it('does nothing after thirty days', async () => {
      const { browser, organizationId } = await newFounder(office)
      await browser.call('deleteOrganization', { organizationId })
      office.clock.advance(30 * 24 * 60 * 60)
      expect(await restore(organizationId)).toBe(false)
    })
  })
})
