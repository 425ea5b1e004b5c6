import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshEmail, openTestOffice, type TestOffice } from '../../../tests/office.ts'
import {
  auditOf,
  codeFor,
  invitationTokenFor,
  linkTokenOf,
  newFounder,
  newMember,
  newPerson,
  type Person,
  signInAgain,
} from '../../../tests/people.ts'
import { until } from '../../../tests/until.ts'

describe('removeMember', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  /** By these its connections are closed and its tokens refused: `server/tests/realtime/ended-access.test.ts`. */
  async function endingsOf(person: Person): Promise<string[]> {
    const { rows } = await office.database.pool.query('select cause from ended_access where user_id = $1', [
      person.id,
    ])
    return rows.map(({ cause }) => cause)
  }

  it('ends the access at once: membership, sessions there, connections', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    expect(await founder.browser.request('removeMember', { id: member.id })).toMatchObject({
      status: 204,
      body: undefined,
    })
    expect(await member.browser.request('listMembers')).toMatchObject({
      status: 403,
      body: { error: 'no-active-organization' },
    })
    expect(await member.browser.call('getCurrentUser')).toMatchObject({
      currentOrganizationId: '',
      organizationMemberships: [],
    })
    expect((await founder.browser.call('listMembers')).page.total).toBe(1)
    expect(await endingsOf(member)).toEqual(['membership-ended'])
    expect((await auditOf(founder)).at(-1)).toMatchObject({
      action: 'member.removed',
      actor: { id: founder.id },
      target: { kind: 'user', id: member.id },
      detail: { role: 'member', revokedInvitations: 0 },
    })
  })

  it('is refused by the role alone, for every member and every input', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const headers = { cookie: `atrium_session=${member.cookie}`, 'content-type': 'application/json' }
    const remove = async (path: string, body: object) => {
      const answer = await fetch(office.baseUrl + path, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      return [answer.status, ((await answer.json()) as { error?: string }).error]
    }
    const refused = [403, 'role-not-allowed']
    expect(await remove(`/members/${founder.id}/remove`, { spaceId: 5 })).toEqual(refused)
    expect(await remove('/members/999999999999/remove', {})).toEqual(refused)
    expect(await remove('/memberships/remove-user', { userId: '999999999999' })).toEqual(refused)
    expect((await founder.browser.call('listMembers')).page.total).toBe(2)
  })

  it('ends it on every node', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const node = await openTestOffice({ beside: office })
    try {
      const headers = { cookie: `atrium_session=${member.cookie}` }
      const list = () => fetch(`${node.baseUrl}/members/list`, { method: 'POST', headers })
      expect((await list()).status).toBe(200)
      await founder.browser.call('removeMember', { id: member.id })
      await until(async () => (await list()).status === 403)
    } finally {
      await node.close()
    }
  })

  it('leaves their session, and what they do elsewhere, as it is', async () => {
    const founder = await newFounder(office)
    const other = await newFounder(office)
    await founder.browser.call('sendInvitation', { email: other.email })
    await other.browser.call('acceptInvitation', { token: await invitationTokenFor(office, other.email) })
    await founder.browser.call('removeMember', { id: other.id })
    expect(await other.browser.call('getCurrentUser')).toMatchObject({
      currentOrganizationId: other.organizationId,
      organizationMemberships: [{ role: 'admin' }],
    })
  })

  it('voids an invitation that would let them in again', async () => {
    const founder = await newFounder(office)
    const member = await newPerson(office)
    await founder.browser.call('sendInvitation', { email: member.email })
    const token = await invitationTokenFor(office, member.email)
    // in without it, as users whom the identity provider brings
    await office.database.pool.query(
      `insert into memberships (organization_id, user_id, role, status, created_at, updated_at)
       select id, $2, 'member', 'active', now(), now() from organizations where identity_organization_id = $1`,
      [founder.organizationId, member.id],
    )
    await founder.browser.call('removeMember', { id: member.id })
    expect(await member.browser.request('acceptInvitation', { token })).toMatchObject({ status: 410 })
    const { data } = await founder.browser.call('listMembers')
    expect(data.map(({ id }) => id)).toEqual([founder.id])
  })

  it('is not undone by an invitation of before, to an address that they take again', async () => {
    const founder = await newFounder(office)
    const person = await newPerson(office)
    await founder.browser.call('sendInvitation', { email: person.email, role: 'moderator' })
    const token = await invitationTokenFor(office, person.email)
    const moveTo = async (from: string, email: string) => {
      await person.browser.call('changeEmail', { email })
      const [code, newCode] = [await codeFor(office, from), await codeFor(office, email)]
      await person.browser.call('confirmEmailChange', { code, newCode })
    }
    const other = freshEmail()
    await moveTo(person.email, other)
    const inviteToken = await linkTokenOf(founder)
    await person.browser.call('joinOrganization', { inviteToken })
    await founder.browser.call('removeMember', { id: person.id })
    await moveTo(other, person.email)
    const removed = { status: 403, body: { error: 'removed' } }
    expect(await person.browser.request('acceptInvitation', { token })).toMatchObject(removed)
    expect(await person.browser.request('joinOrganization', { inviteToken })).toMatchObject(removed)
    const { data } = await founder.browser.call('listMembers')
    expect(data.map(({ id }) => id)).toEqual([founder.id])
  })

  it('voids what they have sent of invitations, and none of others', async () => {
    const founder = await newFounder(office)
    const moderator = await newMember(office, founder, 'moderator')
    const [theirs, mine] = [freshEmail(), freshEmail()]
    await moderator.browser.call('sendInvitation', { email: theirs })
    await founder.browser.call('sendInvitation', { email: mine })
    await founder.browser.call('removeMember', { id: moderator.id })
    const { data } = await founder.browser.call('listInvitation', { limit: 2 })
    expect(data.map(({ email, state }) => [email, state])).toEqual([
      [mine, 'pending'],
      [theirs, 'revoked'],
    ])
    expect((await auditOf(founder)).at(-1)?.detail).toEqual({ role: 'moderator', revokedInvitations: 1 })
  })

  it('lets a member who was removed come in again by a new invitation', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'moderator')
    await founder.browser.call('removeMember', { id: member.id })
    await founder.browser.call('sendInvitation', { email: member.email })
    const token = await invitationTokenFor(office, member.email)
    expect(await member.browser.call('acceptInvitation', { token })).toMatchObject({ role: 'member' })
    expect(await member.browser.request('listMembers')).toMatchObject({ status: 200 })
  })

  it('leaves no session at work there that would go on where they come back in another one', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const { browser: elsewhere } = await signInAgain(office, member.email)
    const workplace = async (browser: Person['browser']) =>
      (await browser.call('getCurrentUser')).currentOrganizationId
    expect(await workplace(elsewhere)).toBe(founder.organizationId)
    await founder.browser.call('removeMember', { id: member.id })
    await founder.browser.call('sendInvitation', { email: member.email })
    const token = await invitationTokenFor(office, member.email)
    await member.browser.call('acceptInvitation', { token })
    expect(await workplace(member.browser)).toBe(founder.organizationId)
    expect(await workplace(elsewhere)).toBe('')
  })

  it.each(['guest', 'member', 'moderator', 'admin'] as const)('lets a %s leave', async (role) => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, role)
    expect(await member.browser.request('removeMember', { id: member.id })).toMatchObject({ status: 204 })
    expect(await member.browser.call('listOrganizations')).toEqual([])
    expect((await auditOf(founder)).at(-1)).toMatchObject({
      action: 'member.left',
      actor: { id: member.id },
      target: { id: member.id },
    })
  })

  it('keeps the last admin: 409, alone and when two leave at once', async () => {
    const lonely = await newFounder(office)
    expect(await lonely.browser.request('removeMember', { id: lonely.id })).toMatchObject({
      status: 409,
      body: { error: 'last-admin' },
    })
    for (let round = 0; round < 10; round += 1) {
      const one = await newFounder(office)
      const two = await newMember(office, one, 'admin')
      const answers = await Promise.all(
        [one, two].map(({ browser, id }) => browser.request('removeMember', { id })),
      )
      expect(answers.map(({ status }) => status as number).sort()).toEqual([204, 409])
    }
  })

  it('two admins who remove each other at once: one of them stays', async () => {
    for (let round = 0; round < 10; round += 1) {
      const one = await newFounder(office)
      const two = await newMember(office, one, 'admin')
      const answers = await Promise.all([
        one.browser.request('removeMember', { id: two.id }),
        two.browser.request('removeMember', { id: one.id }),
      ])
      expect(answers.map(({ status }) => status as number).sort()).toEqual([204, 403])
    }
  })

  it.each([
    ['guest', 'member', 'role-not-allowed', 'Your role does not allow this'],
    ['member', 'guest', 'role-not-allowed', 'Your role does not allow this'],
    ['moderator', 'moderator', 'rank-too-high', 'You can act only on members whose role is below your own'],
    ['moderator', 'admin', 'rank-too-high', 'You can act only on members whose role is below your own'],
  ] as const)('a %s cannot remove a %s', async (own, other, error, message) => {
    const founder = await newFounder(office)
    const actor = await newMember(office, founder, own)
    const target = await newMember(office, founder, other)
    const before = await auditOf(founder)
    expect(await actor.browser.request('removeMember', { id: target.id })).toMatchObject({
      status: 403,
      body: { error, message },
    })
    expect(await target.browser.call('listOrganizations')).toHaveLength(1)
    expect(await endingsOf(target)).toEqual([])
    expect(await auditOf(founder)).toEqual(before)
  })

  it.each(['guest', 'member'] as const)('a moderator removes a %s', async (role) => {
    const founder = await newFounder(office)
    const moderator = await newMember(office, founder, 'moderator')
    const target = await newMember(office, founder, role)
    expect(await moderator.browser.request('removeMember', { id: target.id })).toMatchObject({ status: 204 })
  })

  it('works under the earlier path, and takes the space to kick from', async () => {
    const founder = await newFounder(office)
    const [one, two] = [await newMember(office, founder, 'member'), await newMember(office, founder, 'guest')]
    const spaceId = '0192f3a4-0000-7000-8000-000000000000'
    const earlier = await founder.browser.request('removeMembershipUser', { userId: one.id, spaceId })
    expect(earlier).toMatchObject({ status: 204 })
    expect(earlier.headers.get('deprecation')).toMatch(/^@\d+$/)
    expect(await founder.browser.request('removeMember', { id: two.id, spaceId })).toMatchObject({
      status: 204,
    })
    expect((await founder.browser.call('listMembers')).page.total).toBe(1)
  })

  it.each([5, '', 'x'.repeat(129), null])('refuses the space %j', async (spaceId) => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const input = { id: member.id, spaceId: spaceId as string }
    expect(await founder.browser.request('removeMember', input)).toMatchObject({
      status: 400,
      body: { details: [{ field: 'spaceId' }] },
    })
    expect((await founder.browser.call('listMembers')).page.total).toBe(2)
  })

  it('finds none outside the organization, and none twice', async () => {
    const founder = await newFounder(office)
    const [foreign, nobody] = [await newFounder(office), await newPerson(office)]
    const member = await newMember(office, founder, 'member')
    await founder.browser.call('removeMember', { id: member.id })
    const none = ['0', 'x', '9223372036854775808', randomUUID()]
    for (const id of [foreign.id, nobody.id, member.id, ...none]) {
      expect(await founder.browser.request('removeMember', { id })).toMatchObject({
        status: 404,
        body: { error: 'member-not-found' },
      })
    }
    expect(await foreign.browser.call('listOrganizations')).toHaveLength(1)
  })

  it('racing their own reset of the link, what is answered is what is done', async () => {
    const founder = await newFounder(office)
    const before = await linkTokenOf(founder)
    const moderator = await newMember(office, founder, 'moderator')
    const [reset] = await Promise.all([
      moderator.browser.request('resetInviteLink'),
      founder.browser.request('removeMember', { id: moderator.id }),
    ])
    const after = await linkTokenOf(founder)
    expect(after === before).toBe(reset.status !== 200)
  })
})
