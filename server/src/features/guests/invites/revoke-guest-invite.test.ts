import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insideOf, joinRoom, knock, newRoom } from '../../../../tests/chapters/rooms.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { auditOf, newFounder, newMember } from '../../../../tests/people.ts'
import { type RecordedOutbox, recordOutbox } from '../../../../tests/recorded-outbox.ts'
import { GUEST_QUEUE } from '../state-store.ts'

describe('revokeGuestInvite', () => {
  let office: TestOffice
  let outbox: RecordedOutbox
  beforeAll(async () => {
    office = await openTestOffice({ settings: { GUESTS_WAITING_PER_INVITE: '0' } })
    outbox = await recordOutbox(office.database)
  })
  afterAll(() => office.close())

  const carryOut = async () => {
    await office.office.jobs.runNow('expire-guests')
    await office.office.work.worker(GUEST_QUEUE).drain()
  }

  /** A link of a member's, in an organization with an admin. */
  async function scene() {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const { id: roomId } = await newRoom(founder)
    const wanted = { orgId: founder.organizationId, roomId, durationSeconds: 3_600 }
    const { inviteUrl, inviteId } = await member.browser.call('inviteGuest', wanted)
    const inviteToken = new URL(inviteUrl).searchParams.get('invite_token') as string
    const ask = () => office.browser().request('authorizeGuest', { inviteToken, guestName: 'Gast' })
    const preview = () => office.browser().request('previewGuestInvite', { inviteToken })
    const revoke = (by: Pick<typeof member, 'browser'> = member) =>
      by.browser.request('revokeGuestInvite', { inviteId })
    const statesOf = async () => {
      const { guests } = await founder.browser.call('listGuests', { roomId })
      return new Map(guests.map(({ guestIdentity, state }) => [guestIdentity, state]))
    }
    return { founder, member, roomId, inviteToken, inviteId, ask, preview, revoke, statesOf }
  }

  it('ends a link: nobody previews it or asks with it any more, and it is no longer listed', async () => {
    const { founder, member, inviteId, ask, preview, revoke } = await scene()
    expect([(await ask()).status, (await preview()).status]).toEqual([200, 200])
    expect((await revoke()).status).toBe(204)
    for (const answer of [await ask(), await preview()])
      expect(answer).toMatchObject({ status: 410, body: { error: 'gone' } })
    for (const { browser } of [founder, member])
      expect((await browser.call('listGuestInvites')).invites).toEqual([])
    expect((await revoke()).status).toBe(204)
    const entries = (await auditOf(founder)).filter(({ action }) => action === 'guest-invite.revoked')
    expect(entries).toMatchObject([{ target: { kind: 'guest-invite', id: inviteId } }])
  })

  it('puts out whoever waits with it, and leaves in whoever was admitted', async () => {
    const { founder, roomId, inviteToken, revoke, statesOf } = await scene()
    const [waits, inside] = [
      await knock(inviteToken, office.browser()),
      await knock(inviteToken, office.browser()),
    ]
    for (const { rtcToken } of [waits, inside]) await joinRoom(office, rtcToken)
    const { guestIdentity } = inside
    await founder.browser.call('admitGuest', { roomId, guestIdentity, action: 'admit' })
    await revoke()
    // before the job has come by, too
    expect((await statesOf()).get(waits.guestIdentity)).toBe('expired')
    const late = { roomId, guestIdentity: waits.guestIdentity, action: 'admit' } as const
    expect((await founder.browser.request('admitGuest', late)).status).toBe(410)
    await carryOut()
    expect([...(await insideOf(office, roomId)).keys()]).toEqual([inside.guestIdentity])
    expect((await statesOf()).get(inside.guestIdentity)).toBe('admitted')
    const left = (await outbox.events(`user:${founder.organizationId}`)).filter(
      ({ type }) => type === 'guest.left',
    )
    expect(left.map(({ data }) => data)).toEqual([{ roomId, guestIdentity: waits.guestIdentity }])
  })

  it('of guests who come at the same moment none goes on waiting', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { ask, revoke, statesOf } = await scene()
      const [first, ...asked] = await Promise.all([ask(), ask(), revoke(), ask(), ask()])
      expect([200, 410]).toContain(first?.status)
      const let_in = [first, ...asked].filter((answer) => answer?.status === 200).length
      const states = [...(await statesOf()).values()]
      expect(states).toEqual(Array.from({ length: let_in }, () => 'expired'))
    }
  })

  it('is for whoever made it and for those who may admit; nobody elsewhere finds it', async () => {
    const { founder, inviteId, revoke, ask } = await scene()
    const notFound = { status: 404, body: { error: 'guest-invite-not-found' } }
    for (const person of [
      await newMember(office, founder, 'member'),
      await newMember(office, founder, 'moderator'),
    ])
      expect(await revoke(person)).toMatchObject({ status: 403, body: { error: 'role-not-allowed' } })
    expect(await revoke(await newFounder(office))).toMatchObject(notFound)
    expect((await revoke(await newMember(office, founder, 'guest'))).status).toBe(403)
    expect((await ask()).status).toBe(200)
    const unknown = { inviteId: `${inviteId}x` }
    expect(await founder.browser.request('revokeGuestInvite', unknown)).toMatchObject(notFound)
    expect((await revoke(await newMember(office, founder, 'admin'))).status).toBe(204)
    expect((await ask()).status).toBe(410)
  })

  it('ends by itself with the membership of whoever made it, and with the room', async () => {
    const { founder, member, inviteToken, statesOf } = await scene()
    const { guestIdentity } = await knock(inviteToken, office.browser())
    const invites = async () => (await founder.browser.call('listGuestInvites')).invites
    expect(await invites()).toHaveLength(1)
    await founder.browser.call('removeMember', { id: member.id })
    expect(await invites()).toEqual([])
    office.clock.advance(1)
    await carryOut()
    expect((await statesOf()).get(guestIdentity)).toBe('expired')

    const other = await scene()
    await other.founder.browser.call('deleteRoom', { roomId: other.roomId })
    expect((await other.founder.browser.call('listGuestInvites')).invites).toEqual([])
    expect((await other.preview()).status).toBe(404)
  })

  it('can be done to a link of the release before once somebody has asked with it', async () => {
    const { inviteId, ask, revoke } = await scene()
    await office.database.pool.query('delete from guest_invites where id = $1', [inviteId])
    expect((await ask()).status).toBe(200)
    expect((await revoke()).status).toBe(204)
    expect((await ask()).status).toBe(410)
  })
})
