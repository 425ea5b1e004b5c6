import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atMedia, insideOf, joinRoom, newRoom } from '../../../tests/chapters/rooms.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember, type Person } from '../../../tests/people.ts'
import { recordedLog } from '../../../tests/recorded-log.ts'
import { until } from '../../../tests/until.ts'
import { makeWorker } from '../../platform/background/work-queue.ts'
import { CLOSURES_QUEUE, DEPARTURES_QUEUE, roomQueues } from './jobs.ts'

describe('rooms are cleared', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  const clear = async () => {
    for (const queue of [DEPARTURES_QUEUE, CLOSURES_QUEUE]) await office.office.work.worker(queue).drain()
  }
  const tokenOf = async ({ browser }: Person, roomId: string) =>
    (await browser.call('authorizeRoom', { username: 'Somebody', roomId })).token

  async function scene() {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const { id: roomId } = await newRoom(founder)
    const token = await tokenOf(member, roomId)
    await joinRoom(office, token)
    await joinRoom(office, await tokenOf(founder, roomId))
    const inside = async () => [...(await insideOf(office, roomId)).keys()].sort()
    return { founder, member, roomId, token, inside }
  }

  it('of whoever is removed from the organization, in every room, as often as they come back', async () => {
    const { founder, member, token, inside } = await scene()
    const { id: second } = await newRoom(founder)
    await joinRoom(office, await tokenOf(member, second))
    await founder.browser.call('removeMember', { id: member.id })
    await clear()
    expect(await inside()).toEqual([founder.id])
    expect((await insideOf(office, second)).size).toBe(0)
    const watchedUntil = async () => {
      const found = await office.database.pool.query<{ until: Date }>(
        'select until from room_departures where user_id = $1',
        [member.id],
      )
      return found.rows[0]?.until.getTime() ?? 0
    }
    const before = await watchedUntil()
    // what is still to be told of their first connections would put the next one out
    await until(async () => {
      const { rows } = await office.database.pool.query<{ ended: boolean }>(
        'select ended_at is not null as ended from media_participants where identity = $1',
        [member.id],
      )
      return rows.length === 2 && rows.every(({ ended }) => ended)
    })
    // nothing is told of it, or they would be put out at once, before this one looks
    await atMedia(office, 'faults', { dropWebhooks: true })
    await joinRoom(office, token)
    office.clock.advance(21)
    await clear()
    await atMedia(office, 'faults', { dropWebhooks: false })
    expect(await inside()).toEqual([founder.id])
    // the media server gives another token to those inside: that one is waited for too, as is written once all are out
    await expect.poll(watchedUntil).toBeGreaterThanOrEqual(before + 21_000)
  })

  it('of whoever leaves by themself', async () => {
    const { founder, member, inside } = await scene()
    await member.browser.call('removeMember', { id: member.id })
    await clear()
    expect(await inside()).toEqual([founder.id])
  })

  it('not of who is a member again, nor of people in other organizations with the same room names', async () => {
    const [one, other] = [await scene(), await scene()]
    // who leaves may come back by the link, who is removed may not
    await one.member.browser.call('removeMember', { id: one.member.id })
    await clear()
    const token = new URL((await one.founder.browser.call('getInviteLink')).inviteLink).searchParams.get(
      'invite_token',
    )
    await one.member.browser.call('joinOrganization', { inviteToken: token as string })
    await joinRoom(office, await tokenOf(one.member, one.roomId))
    office.clock.advance(21)
    await clear()
    expect(await one.inside()).toEqual([one.founder.id, one.member.id].sort())
    expect(await other.inside()).toEqual([other.founder.id, other.member.id].sort())
  })

  it('again and again where the media server was away', async () => {
    const { founder, member, inside } = await scene()
    await atMedia(office, 'faults', { calls: 'refused' })
    await founder.browser.call('removeMember', { id: member.id })
    await clear()
    await atMedia(office, 'faults', { calls: 'answered' })
    office.clock.advance(20)
    await clear()
    expect(await inside()).toEqual([founder.id])
  })

  it('are closed with their organization', async () => {
    const { founder, roomId, inside } = await scene()
    await founder.browser.call('deleteOrganization', { organizationId: founder.organizationId })
    await clear()
    expect(await inside()).toEqual([])
    const live = await office.office.media.needs.media.rooms()
    expect(live.map(({ name }) => name)).not.toContain(roomId)
  })

  it('leave nothing to do when no token of before is good any more', async () => {
    const { founder, member } = await scene()
    await founder.browser.call('removeMember', { id: member.id })
    const left = async () =>
      (
        await office.database.pool.query('select count(*)::int from room_departures where user_id = $1', [
          member.id,
        ])
      ).rows[0].count
    expect(await left()).toBe(1)
    await clear()
    // a look that was under way while the time passed is followed by another one
    await until(async () => {
      office.clock.advance(16 * 60)
      await clear()
      return (await left()) === 0
    })
  })

  it('of one organization, also where the rooms of another cannot be looked through', async () => {
    const [one, other] = [await scene(), await scene()]
    const { db } = office.database
    const away = new Error('the media server does not answer for this room')
    const { media } = office.office.media.needs
    const participants = async (room: Parameters<typeof media.participants>[0]) => {
      if (room === one.roomId) throw away
      return await media.participants(room)
    }
    await office.office.work.worker(DEPARTURES_QUEUE).stop()
    for (const { founder, member } of [one, other])
      await founder.browser.call('removeMember', { id: member.id })
    const options = { db, clock: office.clock, log: recordedLog().log }
    const queues = roomQueues({ db, clock: office.clock, media: { ...media, participants } })
    for (const queue of queues) await makeWorker(queue, options).drain()
    expect(await one.inside()).toEqual([one.founder.id, one.member.id].sort())
    expect(await other.inside()).toEqual([other.founder.id])
  })
})

describe('removing a member with the room they are in', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  async function scene() {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const room = await newRoom(founder)
    const { token } = await member.browser.call('authorizeRoom', { username: 'Ada', roomId: room.id })
    await joinRoom(office, token)
    const isIn = async () => (await insideOf(office, room.id)).has(member.id)
    return { founder, member, room, isIn }
  }

  it('puts them out of it at once, by either path', async () => {
    const { founder, member, room, isIn } = await scene()
    const removed = await founder.browser.request('removeMember', { id: member.id, spaceId: room.id })
    expect(removed.status).toBe(204)
    expect(await isIn()).toBe(false)
    const other = await scene()
    const earlier = { userId: other.member.id, spaceId: other.room.id }
    expect((await other.founder.browser.request('removeMembershipUser', earlier)).status).toBe(204)
    expect(await other.isIn()).toBe(false)
  })

  it('removes them all the same where they are elsewhere, or the room is nobody’s, or another’s', async () => {
    const other = await scene()
    for (const spaceId of ['nowhere', '00000000-0000-4000-8000-000000000000', other.room.id]) {
      const { founder, member } = await scene()
      expect((await founder.browser.request('removeMember', { id: member.id, spaceId })).status).toBe(204)
      expect((await founder.browser.call('listMembers')).page.total).toBe(1)
    }
    expect(await other.isIn()).toBe(true)
  })

  it('removes them all the same where the media server is away, and puts them out later', async () => {
    const { founder, member, room, isIn } = await scene()
    await atMedia(office, 'faults', { calls: 'refused' })
    const removed = await founder.browser.request('removeMember', { id: member.id, spaceId: room.id })
    await atMedia(office, 'faults', { calls: 'answered' })
    expect(removed.status).toBe(204)
    await until(async () => !(await isIn()))
  })

  it('puts nobody out where the removal is refused', async () => {
    const { founder, member, room, isIn } = await scene()
    const moderator = await newMember(office, founder, 'moderator')
    const asked = { id: founder.id, spaceId: room.id }
    const { token } = await founder.browser.call('authorizeRoom', { username: 'Ada', roomId: room.id })
    await joinRoom(office, token)
    expect((await moderator.browser.request('removeMember', asked)).status).toBe(403)
    expect((await insideOf(office, room.id)).has(founder.id)).toBe(true)
    expect(member.id).toBeTruthy()
    expect(await isIn()).toBe(true)
  })
})
