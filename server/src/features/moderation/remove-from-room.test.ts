import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  atMedia,
  enterRoom,
  guestLink,
  insideOf,
  joinRoom,
  knock,
  newRoom,
} from '../../../tests/chapters/rooms.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { auditOf, newFounder, newMember, type Person } from '../../../tests/people.ts'
import { until } from '../../../tests/until.ts'

describe('removeFromRoom', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
    await until(async () => office.office.jobs.isLeader())
  })
  afterAll(() => office.close())

  type Somebody = Pick<Person, 'browser' | 'id'>
  const asks = ({ browser }: Somebody, roomId: string) =>
    browser.request('authorizeRoom', { username: 'Somebody', roomId })
  const removed = { status: 403, body: { error: 'removed-from-room' } }

  async function scene() {
    const founder = await newFounder(office)
    const [member, moderator] = [
      await newMember(office, founder, 'member'),
      await newMember(office, founder, 'moderator'),
    ]
    const { id: roomId } = await newRoom(founder)
    const earlier = (await asks(member, roomId)).body as { token: string }
    await enterRoom(office, member, roomId)
    const remove = ({ browser }: Pick<Person, 'browser'> = moderator, whom: object = { userId: member.id }) =>
      browser.request('removeFromRoom', { roomId, ...whom })
    const isInside = async () => (await insideOf(office, roomId)).has(member.id)
    return { founder, member, moderator, roomId, earlier, remove, isInside }
  }

  it('puts somebody out for a minute, and out again by an older token', async () => {
    const { founder, member, moderator, roomId, earlier, remove, isInside } = await scene()
    expect((await remove()).status).toBe(204)
    expect(await isInside()).toBe(false)
    expect(await asks(member, roomId)).toMatchObject(removed)
    await joinRoom(office, earlier.token)
    await until(async () => !(await isInside()))
    const entries = (await auditOf(founder)).filter(({ action }) => action === 'room.person-removed')
    expect(entries).toMatchObject([{ actor: { id: moderator.id }, target: { kind: 'user', id: member.id } }])
    office.clock.advance(61)
    await joinRoom(office, earlier.token)
    await until(async () => !(await isInside()))
    await enterRoom(office, member, roomId)
    expect(await isInside()).toBe(true)
  })

  it('stands where the media server cannot be asked, and puts them out as soon as it can', async () => {
    const { founder, member, roomId, remove, isInside } = await scene()
    await atMedia(office, 'faults', { calls: 'refused' })
    try {
      expect((await remove()).status).toBe(204)
      expect(await asks(member, roomId)).toMatchObject(removed)
    } finally {
      await atMedia(office, 'faults', { calls: 'answered' })
    }
    expect(await isInside()).toBe(true)
    office.clock.advance(3)
    await until(async () => !(await isInside()))
    const entries = (await auditOf(founder)).filter(({ action }) => action === 'room.person-removed')
    expect(entries).toHaveLength(1)
  })

  it('leaves them inside where they have come back with a new token meanwhile', async () => {
    const { member, remove, isInside } = await scene()
    await atMedia(office, 'faults', { calls: 'refused' })
    try {
      await remove()
      // as a new token does, which the media server would have to be asked for
      await office.database.pool.query('update room_doors set removed_until = null where user_id = $1', [
        member.id,
      ])
    } finally {
      await atMedia(office, 'faults', { calls: 'answered' })
    }
    office.clock.advance(21)
    await office.office.work.worker('room-removals').drain()
    expect(await isInside()).toBe(true)
  })

  it('has them knock at a locked room afterwards, although they were inside', async () => {
    const { founder, member, roomId, remove } = await scene()
    await enterRoom(office, founder, roomId)
    await founder.browser.call('lockRoom', { roomId, locked: true })
    await remove(founder)
    office.clock.advance(61)
    expect(await asks(member, roomId)).toMatchObject({ status: 403, body: { error: 'room-locked' } })
    const { knockId } = await member.browser.call('knockAtRoom', { roomId })
    await founder.browser.call('answerKnock', { knockId, answer: 'accept' })
    expect((await asks(member, roomId)).status).toBe(200)
  })

  it('turns a guest away for good', async () => {
    const { founder, moderator, roomId, remove } = await scene()
    const guest = await knock(await guestLink(founder, roomId), office.browser())
    await joinRoom(office, guest.rtcToken)
    const named = { guestIdentity: guest.guestIdentity }
    expect(await remove(moderator, named)).toMatchObject({ status: 409, body: { error: 'not-inside' } })
    await founder.browser.call('admitGuest', { roomId, ...named, action: 'admit' })
    expect((await remove(moderator, named)).status).toBe(204)
    expect((await insideOf(office, roomId)).has(guest.guestIdentity)).toBe(false)
    expect((await founder.browser.call('listGuests', { roomId })).guests).toMatchObject([{ state: 'denied' }])
  })

  it('acts on no higher rank, and on the same', async () => {
    const { founder, moderator, roomId, remove } = await scene()
    const other = await newMember(office, founder, 'moderator')
    await enterRoom(office, founder, roomId)
    await enterRoom(office, other, roomId)
    expect(await remove(moderator, { userId: founder.id })).toMatchObject({
      status: 403,
      body: { error: 'rank-too-high' },
    })
    expect((await insideOf(office, roomId)).has(founder.id)).toBe(true)
    expect((await remove(moderator, { userId: other.id })).status).toBe(204)
    expect((await remove(founder, { userId: founder.id })).status).toBe(204)
  })

  it('is for moderators, and for who is inside', async () => {
    const { founder, member, remove } = await scene()
    expect(await remove(member)).toMatchObject({ status: 403, body: { error: 'role-not-allowed' } })
    expect(await remove(founder, { userId: founder.id })).toMatchObject({
      status: 409,
      body: { error: 'not-inside' },
    })
    expect(await remove(await newFounder(office))).toMatchObject({ status: 404 })
  })
})
