import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import {
  auditOf,
  invitationTokenFor,
  linkTokenOf,
  newFounder,
  newMember,
  newPerson,
  type Person,
} from '../../../tests/people.ts'

describe('acceptInvitation', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  async function invite(
    by: Person,
    email: string,
    role: 'guest' | 'member' | 'moderator' | 'admin' = 'member',
  ) {
    await by.browser.call('sendInvitation', { email, role })
    return await invitationTokenFor(office, email)
  }

  it('makes the caller a member, shows them as one, and lets them work there at once', async () => {
    const founder = await newFounder(office, 'Acme')
    const person = await newPerson(office)
    const token = await invite(founder, person.email, 'moderator')
    expect(await person.browser.call('acceptInvitation', { token })).toEqual({
      id: person.id,
      displayName: person.email.split('@')[0],
      avatarUrl: '',
      email: person.email,
      role: 'moderator',
      presenceStatus: 'offline',
      presenceUserId: expect.stringMatching(/^user_/),
    })
    expect(await person.browser.call('getCurrentUser')).toMatchObject({
      currentOrganizationId: founder.organizationId,
      organizationMemberships: [{ role: 'moderator', status: 'active' }],
    })
    expect((await auditOf(founder)).at(-1)).toMatchObject({
      action: 'invitation.accepted',
      actor: { id: person.id, email: person.email },
      detail: { role: 'moderator' },
    })
  })

  it('leaves the active organization as it is where there is one', async () => {
    const founder = await newFounder(office)
    const other = await newFounder(office)
    await other.browser.call('acceptInvitation', { token: await invite(founder, other.email) })
    expect((await other.browser.call('getCurrentUser')).currentOrganizationId).toBe(other.organizationId)
    expect(await other.browser.call('listOrganizations')).toHaveLength(2)
  })

  it('of fifty accepts at once one joins, and the trail has one entry of it', async () => {
    const founder = await newFounder(office)
    const person = await newPerson(office)
    const token = await invite(founder, person.email)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => person.browser.request('acceptInvitation', { token })),
    )
    const statuses = answers.map(({ status }) => status as number)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(49)
    expect((await founder.browser.call('listMembers')).page.total).toBe(2)
    const accepted = (await auditOf(founder)).filter(({ action }) => action === 'invitation.accepted')
    expect(accepted).toHaveLength(1)
  })

  it('is for the invited address alone: a token that leaks is of no use', async () => {
    const founder = await newFounder(office)
    const [invited, thief] = [await newPerson(office), await newPerson(office)]
    const token = await invite(founder, invited.email)
    for (const operation of ['acceptInvitation', 'joinOrganization'] as const) {
      const answer = await thief.browser.request(operation, { token, inviteToken: token })
      expect(answer).toMatchObject({ status: 403, body: { error: 'invitation-for-another-address' } })
    }
    expect(await thief.browser.call('listOrganizations')).toEqual([])
    expect(await invited.browser.call('acceptInvitation', { token })).toMatchObject({ id: invited.id })
  })

  it('refuses an expired one: 410', async () => {
    const founder = await newFounder(office)
    const email = `late-${Date.now()}@people.example`
    const token = await invite(founder, email)
    office.clock.advance(7 * 24 * 60 * 60)
    const person = await newPerson(office, email)
    expect(await person.browser.request('acceptInvitation', { token })).toMatchObject({
      status: 410,
      body: { error: 'invitation-expired' },
    })
    expect(await person.browser.call('listOrganizations')).toEqual([])
  })

  it('refuses tokens that are none, the organization’s link, and what a deleted organization sent: 400', async () => {
    const founder = await newFounder(office)
    const person = await newPerson(office)
    const link = await linkTokenOf(founder)
    const token = await invite(founder, person.email)
    await founder.browser.call('deleteOrganization', { organizationId: founder.organizationId })
    for (const dead of ['x', `inv_${'A'.repeat(43)}`, link, token]) {
      expect(await person.browser.request('acceptInvitation', { token: dead })).toMatchObject({
        status: 400,
        body: { error: 'invalid-invite-token' },
      })
    }
  })

  it('never grants more than the inviter could by then', async () => {
    const founder = await newFounder(office)
    const inviter = await newMember(office, founder, 'admin')
    const [one, two] = [await newPerson(office), await newPerson(office)]
    const toAdmin = await invite(inviter, one.email, 'admin')
    await founder.browser.call('updateMember', { id: inviter.id, role: 'moderator' })
    expect(await one.browser.call('acceptInvitation', { token: toAdmin })).toMatchObject({
      role: 'moderator',
    })
    const toModerator = await invite(inviter, two.email, 'moderator')
    await inviter.browser.call('removeMember', { id: inviter.id })
    expect(await two.browser.call('acceptInvitation', { token: toModerator })).toMatchObject({
      role: 'member',
    })
  })

  it('gives its role to a person who comes in by the link while it waits, and is accepted by that', async () => {
    const founder = await newFounder(office)
    for (const role of ['guest', 'moderator'] as const) {
      const person = await newPerson(office)
      const token = await invite(founder, person.email, role)
      const inviteToken = await linkTokenOf(founder)
      expect(await person.browser.call('joinOrganization', { inviteToken })).toMatchObject({ userRole: role })
      expect((await auditOf(founder)).at(-1)).toMatchObject({
        action: 'invitation.accepted',
        detail: { role },
      })
      expect(await person.browser.request('acceptInvitation', { token })).toMatchObject({ status: 409 })
    }
  })

  /** As they were before the link counted what waits: they came in by it, and an invitation still waits for them. */
  async function memberWithInvitation(founder: Person, role: 'guest' | 'moderator') {
    const person = await newPerson(office)
    const token = await invite(founder, person.email, role)
    await office.database.pool.query(
      `insert into memberships (organization_id, user_id, role, status, created_at, updated_at)
       select id, $2, 'member', 'active', now(), now() from organizations where identity_organization_id = $1`,
      [(await founder.browser.call('getCurrentUser')).currentOrganizationId, person.id],
    )
    return { ...person, token }
  }

  it('raises the role of a member where it is higher, and the trail says so', async () => {
    const founder = await newFounder(office)
    const member = await memberWithInvitation(founder, 'moderator')
    expect(await member.browser.call('acceptInvitation', { token: member.token })).toMatchObject({
      role: 'moderator',
    })
    expect((await auditOf(founder)).slice(-2)).toMatchObject([
      { action: 'invitation.accepted', actor: { id: member.id }, detail: { role: 'moderator' } },
      {
        action: 'member.role-changed',
        actor: { id: member.id },
        target: { id: member.id },
        detail: { from: 'member', to: 'moderator' },
      },
    ])
  })

  it('lowers the role of no member', async () => {
    const founder = await newFounder(office)
    const member = await memberWithInvitation(founder, 'guest')
    expect(await member.browser.call('acceptInvitation', { token: member.token })).toMatchObject({
      role: 'member',
    })
    const changed = (await auditOf(founder)).filter(({ action }) => action === 'member.role-changed')
    expect(changed).toEqual([])
  })

  it('is refused without a session, and without a token', async () => {
    expect(await office.browser().request('acceptInvitation', { token: 'x' })).toMatchObject({ status: 401 })
    const { browser } = await newPerson(office)
    expect(await browser.request('acceptInvitation', {} as { token: string })).toMatchObject({ status: 400 })
  })
})
