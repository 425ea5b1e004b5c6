import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import {
  auditOf,
  invitationTokenFor,
  newFounder,
  newMember,
  newPerson,
  signInAgain,
} from '../../../tests/people.ts'
import { until } from '../../../tests/until.ts'

describe('updateMember', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('gives the role, shows the member, and it holds for their next request', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    expect(await member.browser.request('resetInviteLink')).toMatchObject({ status: 403 })
    const updated = await founder.browser.call('updateMember', { id: member.id, role: 'moderator' })
    expect(updated).toEqual({
      id: member.id,
      displayName: expect.any(String),
      avatarUrl: '',
      email: member.email,
      role: 'moderator',
      presenceStatus: 'offline',
      presenceUserId: expect.stringMatching(/^user_/),
    })
    expect(await member.browser.request('resetInviteLink')).toMatchObject({ status: 200 })
    await founder.browser.call('updateMember', { id: member.id, role: 'member' })
    expect(await member.browser.request('resetInviteLink')).toMatchObject({ status: 403 })
    const changes = (await auditOf(founder)).filter(({ action }) => action === 'member.role-changed')
    expect(changes).toMatchObject([
      { target: { kind: 'user', id: member.id }, detail: { from: 'member', to: 'moderator' } },
      { target: { kind: 'user', id: member.id }, detail: { from: 'moderator', to: 'member' } },
    ])
  })

  it('holds on other nodes as well', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'moderator')
    const node = await openTestOffice({ beside: office })
    try {
      const headers = { cookie: `atrium_session=${member.cookie}` }
      const reset = () =>
        fetch(`${node.baseUrl}/api/v1/organizations/reset-invite-link`, { method: 'POST', headers })
      expect((await reset()).status).toBe(200)
      await founder.browser.call('updateMember', { id: member.id, role: 'member' })
      await until(async () => (await reset()).status === 403)
    } finally {
      await node.close()
    }
  })

  it('works under the earlier path, marked as deprecated', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'guest')
    const answer = await founder.browser.request('updateMembershipUser', {
      userId: member.id,
      role: 'admin',
    })
    expect(answer).toMatchObject({ status: 200, body: { id: member.id, role: 'admin' } })
    expect(answer.headers.get('link')).toBe('</members/%7Bid%7D/update>; rel="successor-version"')
    expect(answer.headers.get('deprecation')).toMatch(/^@\d+$/)
  })

  it('writes nothing down where the role is the one they have', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const before = await auditOf(founder)
    expect(await founder.browser.call('updateMember', { id: member.id, role: 'member' })).toMatchObject({
      role: 'member',
    })
    expect(await auditOf(founder)).toEqual(before)
  })

  it('keeps the last admin: 409; with another one they may step down', async () => {
    const founder = await newFounder(office)
    const refused = await founder.browser.request('updateMember', { id: founder.id, role: 'member' })
    expect(refused).toMatchObject({ status: 409, body: { code: 409, error: 'last-admin' } })
    await newMember(office, founder, 'admin')
    expect(await founder.browser.call('updateMember', { id: founder.id, role: 'member' })).toMatchObject({
      role: 'member',
    })
  })

  it('two admins who demote each other at once: one of them stays', async () => {
    for (let round = 0; round < 10; round += 1) {
      const one = await newFounder(office)
      const two = await newMember(office, one, 'admin')
      const answers = await Promise.all([
        one.browser.request('updateMember', { id: two.id, role: 'member' }),
        two.browser.request('updateMember', { id: one.id, role: 'member' }),
      ])
      expect(answers.map(({ status }) => status as number).sort()).toEqual([200, 403])
      const { data } = await one.browser.call('listMembers')
      expect(data.filter(({ role }) => role === 'admin')).toHaveLength(1)
    }
  })

  it('two admins who step down at once: one of them stays', async () => {
    for (let round = 0; round < 10; round += 1) {
      const one = await newFounder(office)
      const two = await newMember(office, one, 'admin')
      const answers = await Promise.all(
        [one, two].map(({ browser, id }) => browser.request('updateMember', { id, role: 'member' })),
      )
      expect(answers.map(({ status }) => status as number).sort()).toEqual([200, 409])
    }
  })

  it.each(['guest', 'member', 'moderator'] as const)(
    'is refused to a %s, whatever the body',
    async (role) => {
      const founder = await newFounder(office)
      const member = await newMember(office, founder, role)
      for (const body of [{ role: 'admin' }, { role: 'owner' }, {}]) {
        const input = { id: member.id, ...body } as { id: string; role: 'admin' }
        expect(await member.browser.request('updateMember', input)).toMatchObject({
          status: 403,
          body: { error: 'role-not-allowed' },
        })
      }
      expect((await member.browser.call('getCurrentUser')).organizationMemberships[0]?.role).toBe(role)
    },
  )

  it.each(['guest', 'owner', '', 'Admin', null, 3])('refuses the role %j', async (role) => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const answer = await founder.browser.request('updateMember', { id: member.id, role: role as 'admin' })
    expect(answer).toMatchObject({ status: 400, body: { details: [{ field: 'role' }] } })
  })

  it('finds none outside the organization', async () => {
    const founder = await newFounder(office)
    const [foreign, nobody] = [await newFounder(office), await newPerson(office)]
    const none = ['999999999', '9223372036854775808', '0', '-1', 'x', '1e3', randomUUID(), '9'.repeat(100)]
    for (const id of [foreign.id, nobody.id, ...none]) {
      expect(await founder.browser.request('updateMember', { id, role: 'member' })).toMatchObject({
        status: 404,
        body: { error: 'member-not-found' },
      })
    }
    expect((await foreign.browser.call('listOrganizations'))[0]?.userRole).toBe('admin')
  })

  it('changes the role in the active organization only', async () => {
    const [one, other] = [await newFounder(office, 'One'), await newFounder(office, 'Other')]
    const person = await newMember(office, one, 'member')
    await other.browser.call('sendInvitation', { email: person.email, role: 'moderator' })
    const token = await invitationTokenFor(office, person.email)
    await person.browser.call('acceptInvitation', { token })
    await one.browser.call('updateMember', { id: person.id, role: 'admin' })
    const { browser } = await signInAgain(office, other.email)
    const { data } = await browser.call('listMembers', { query: person.email, limit: 20, offset: 0 })
    expect(data).toMatchObject([{ role: 'moderator' }])
  })
})
