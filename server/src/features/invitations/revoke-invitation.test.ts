import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshEmail, openTestOffice, type TestOffice } from '../../../tests/office.ts'
import {
  auditOf,
  invitationTokenFor,
  newFounder,
  newMember,
  newPerson,
  type Person,
} from '../../../tests/people.ts'

describe('revokeInvitation', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  async function invite(founder: Person, email: string): Promise<string> {
    await founder.browser.call('sendInvitation', { email })
    const { data } = await founder.browser.call('listInvitation', { email })
    return data[0]?.id as string
  }

  it('revokes it: the answer says when, the token is dead, the trail knows', async () => {
    const founder = await newFounder(office)
    const person = await newPerson(office)
    const invitationId = await invite(founder, person.email)
    const token = await invitationTokenFor(office, person.email)
    const revoked = await founder.browser.call('revokeInvitation', { invitationId })
    expect(revoked).toMatchObject({ id: invitationId, state: 'revoked', acceptedAt: null, token })
    expect(Date.parse(revoked.revokedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(revoked.createdAt))
    const { data } = await founder.browser.call('listInvitation')
    expect(data).toEqual([revoked])
    expect(await person.browser.request('acceptInvitation', { token })).toMatchObject({
      status: 410,
      body: { error: 'invitation-revoked' },
    })
    expect(await office.browser().call('showInvitation', { token })).toMatchObject({ state: 'revoked' })
    expect((await auditOf(founder)).at(-1)).toMatchObject({
      action: 'invitation.revoked',
      target: { kind: 'invitation', id: invitationId },
    })
  })

  it('refuses one that is expired: 409, and it stays expired', async () => {
    const founder = await newFounder(office)
    const invitationId = await invite(founder, freshEmail())
    await office.database.pool.query(
      `update invitations set expires_at = now() where identity_invitation_id = $1`,
      [invitationId],
    )
    expect(await founder.browser.request('revokeInvitation', { invitationId })).toMatchObject({
      status: 409,
      body: { code: 409, error: 'invitation-not-pending' },
    })
    const { data } = await founder.browser.call('listInvitation')
    expect(data).toMatchObject([{ id: invitationId, state: 'expired', revokedAt: null }])
  })

  it('refuses one that is revoked or accepted: 409, and changes nothing', async () => {
    const founder = await newFounder(office)
    const revoked = await invite(founder, freshEmail())
    await founder.browser.call('revokeInvitation', { invitationId: revoked })
    const person = await newPerson(office)
    const accepted = await invite(founder, person.email)
    await person.browser.call('acceptInvitation', { token: await invitationTokenFor(office, person.email) })
    const before = await founder.browser.call('listInvitation')
    for (const invitationId of [revoked, accepted]) {
      expect(await founder.browser.request('revokeInvitation', { invitationId })).toMatchObject({
        status: 409,
        body: { code: 409, error: 'invitation-not-pending' },
      })
    }
    expect(await founder.browser.call('listInvitation')).toEqual(before)
  })

  it('does not find what another organization has sent, or what was never sent', async () => {
    const [one, other] = [await newFounder(office), await newFounder(office)]
    const foreign = await invite(other, freshEmail())
    const never = ['invitation_00000000000000000000000000', 'x/../y', "' or 1=1 --", '\u0000']
    for (const invitationId of [foreign, ...never]) {
      expect(await one.browser.request('revokeInvitation', { invitationId })).toMatchObject({ status: 404 })
    }
    expect((await other.browser.call('listInvitation')).data).toMatchObject([{ state: 'pending' }])
  })

  it('is for everybody who may invite, and refused to guests whatever the body', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const guest = await newMember(office, founder, 'guest')
    const invitationId = await invite(founder, freshEmail())
    expect(await guest.browser.request('revokeInvitation', { invitationId: 5 as never })).toMatchObject({
      status: 403,
    })
    expect(await member.browser.call('revokeInvitation', { invitationId })).toMatchObject({
      state: 'revoked',
    })
  })

  it('is refused for a role above one’s own, and the trail knows who tried', async () => {
    const founder = await newFounder(office)
    const person = await newPerson(office)
    await founder.browser.call('sendInvitation', { email: person.email, role: 'admin' })
    const { data } = await founder.browser.call('listInvitation')
    const invitationId = data[0]?.id as string
    for (const role of ['member', 'moderator'] as const) {
      const member = await newMember(office, founder, role)
      expect(await member.browser.request('revokeInvitation', { invitationId })).toMatchObject({
        status: 403,
        body: { error: 'role-above-own' },
      })
      expect((await auditOf(founder)).at(-1)).toMatchObject({
        action: 'invitation.revoke-refused',
        actor: { id: member.id },
        target: { kind: 'invitation', id: invitationId },
        detail: { email: person.email, role: 'admin' },
      })
    }
    const token = await invitationTokenFor(office, person.email)
    expect(await person.browser.call('acceptInvitation', { token })).toMatchObject({ role: 'admin' })
  })

  it('racing an accept, one of both wins, and the state is the winner’s', async () => {
    const founder = await newFounder(office)
    const outcomes: string[] = []
    for (let round = 0; round < 10; round += 1) {
      const person = await newPerson(office)
      const invitationId = await invite(founder, person.email)
      const token = await invitationTokenFor(office, person.email)
      const [revoke, accept] = await Promise.all([
        founder.browser.request('revokeInvitation', { invitationId }),
        person.browser.request('acceptInvitation', { token }),
      ])
      const { data } = await founder.browser.call('listInvitation', { email: person.email })
      const isMember = (await person.browser.call('listOrganizations')).length === 1
      outcomes.push(`${revoke.status} ${accept.status} ${data[0]?.state} ${isMember}`)
    }
    for (const outcome of outcomes) expect(outcome).toMatch(/^(200 410 revoked false|409 200 accepted true)$/)
  })
})
