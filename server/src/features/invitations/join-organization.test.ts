import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hold, untilBlocked } from '../../../tests/held-locks.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import {
  auditOf,
  invitationTokenFor,
  linkTokenOf,
  newFounder,
  newMember,
  newPerson,
} from '../../../tests/people.ts'

describe('joinOrganization', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('lets anybody with the link in as a member, and many of them', async () => {
    const founder = await newFounder(office, 'Acme')
    const inviteToken = await linkTokenOf(founder)
    for (let n = 0; n < 3; n += 1) {
      const person = await newPerson(office)
      expect(await person.browser.call('joinOrganization', { inviteToken })).toEqual({
        organizationId: founder.organizationId,
        organizationName: 'Acme',
        userRole: 'member',
      })
      expect(await person.browser.call('getCurrentUser')).toMatchObject({
        currentOrganizationId: founder.organizationId,
      })
      expect((await auditOf(founder)).at(-1)).toMatchObject({
        action: 'member.joined',
        actor: { id: person.id },
        target: { kind: 'user', id: person.id },
      })
    }
  })

  it('by the link is no worse for an invitation that is revoked meanwhile', async () => {
    const founder = await newFounder(office)
    const person = await newPerson(office)
    await founder.browser.call('sendInvitation', { email: person.email, role: 'moderator' })
    const inviteToken = await linkTokenOf(founder)
    const revocation = await hold(office, 'update invitations set revoked_at = $2 where email = $1', [
      person.email,
      office.clock.now(),
    ])
    const joined = person.browser.request('joinOrganization', { inviteToken })
    await untilBlocked(office, 1)
    await revocation.commit()
    expect(await joined).toMatchObject({ status: 200, body: { userRole: 'member' } })
  })

  it('leaves a member as they are, and writes nothing down', async () => {
    const founder = await newFounder(office)
    const moderator = await newMember(office, founder, 'moderator')
    const inviteToken = await linkTokenOf(founder)
    const before = await auditOf(founder)
    expect(await moderator.browser.call('joinOrganization', { inviteToken })).toMatchObject({
      userRole: 'moderator',
    })
    expect(await auditOf(founder)).toEqual(before)
  })

  it('of twenty joins of one person at once makes one membership', async () => {
    const founder = await newFounder(office)
    const person = await newPerson(office)
    const inviteToken = await linkTokenOf(founder)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => person.browser.request('joinOrganization', { inviteToken })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    const joined = (await auditOf(founder)).filter(({ action }) => action === 'member.joined')
    expect(joined).toHaveLength(1)
  })

  it('takes the token of an invitation as well, once', async () => {
    const founder = await newFounder(office)
    const person = await newPerson(office)
    await founder.browser.call('sendInvitation', { email: person.email, role: 'guest' })
    const inviteToken = await invitationTokenFor(office, person.email)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => person.browser.request('joinOrganization', { inviteToken })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)])
    expect(answers.find(({ status }) => status === 200)?.body).toMatchObject({ userRole: 'guest' })
  })

  it('refuses tokens that lead nowhere: 400; a revoked invitation: 410', async () => {
    const founder = await newFounder(office)
    const person = await newPerson(office)
    await founder.browser.call('sendInvitation', { email: person.email })
    const revoked = await invitationTokenFor(office, person.email)
    const { data } = await founder.browser.call('listInvitation')
    await founder.browser.call('revokeInvitation', { invitationId: data[0]?.id as string })
    expect(await person.browser.request('joinOrganization', { inviteToken: revoked })).toMatchObject({
      status: 410,
    })
    const link = await linkTokenOf(founder)
    await founder.browser.call('deleteOrganization', { organizationId: founder.organizationId })
    for (const inviteToken of ['x', `join_${'A'.repeat(43)}`, link]) {
      expect(await person.browser.request('joinOrganization', { inviteToken })).toMatchObject({
        status: 400,
        body: { error: 'invalid-invite-token' },
      })
    }
    expect(await person.browser.call('listOrganizations')).toEqual([])
  })

  it('racing a reset, those who are answered 200 are in, and no others', async () => {
    const founder = await newFounder(office)
    for (let round = 0; round < 5; round += 1) {
      const person = await newPerson(office)
      const inviteToken = await linkTokenOf(founder)
      const [joined] = await Promise.all([
        person.browser.request('joinOrganization', { inviteToken }),
        founder.browser.request('resetInviteLink'),
      ])
      const isIn = (await person.browser.call('listOrganizations')).length === 1
      expect([joined.status, isIn]).toEqual(isIn ? [200, true] : [400, false])
    }
  })
})
