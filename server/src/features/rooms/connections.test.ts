import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  atMedia,
  claimsOf,
  guestLink,
  insideOf,
  joinRoom,
  knock,
  newRoom,
} from '../../../tests/chapters/rooms.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember, type Person, signInAgain } from '../../../tests/people.ts'
import { until } from '../../../tests/until.ts'
import type { RoomId } from '../../platform/ids.ts'
import type { MediaPort } from '../../ports/media.ts'
import { personConnected } from './connections.ts'
import { DEPARTURES_QUEUE, SESSION_ENDS_QUEUE } from './jobs.ts'

/** Of which connection and when: it matters where a room is locked. */
const arrival = { kind: 'person' as const, connection: 'PA_x', at: new Date() }

describe('connections of people to rooms', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
    await until(async () => office.office.jobs.isLeader())
  })
  afterAll(() => office.close())

  const tokenOf = async ({ browser }: Person, roomId: string, connection?: string) =>
    (await browser.call('authorizeRoom', { username: 'Somebody', roomId, ...(connection && { connection }) }))
      .token
  const inside = async (roomId: string) => [...(await insideOf(office, roomId)).keys()].sort()

  async function scene() {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const { id: roomId } = await newRoom(founder)
    return { founder, member, roomId }
  }

  it('end as they begin, of whoever is no member any more, as often as they come back', async () => {
    const { founder, member, roomId } = await scene()
    const [token, second] = [await tokenOf(member, roomId), await tokenOf(member, roomId, 'phone')]
    await joinRoom(office, await tokenOf(founder, roomId))
    await joinRoom(office, token)
    await founder.browser.call('removeMember', { id: member.id })
    // the queue has had its turn, and takes no other
    await office.office.work.worker(DEPARTURES_QUEUE).drain()
    await office.office.work.worker(DEPARTURES_QUEUE).stop()
    for (const one of [token, second, token]) {
      await joinRoom(office, one)
      await until(async () => (await inside(roomId)).join() === founder.id)
    }
  })

  it('go on for members, guests, and what the media server made up for its own machinery', async () => {
    const { founder, member, roomId } = await scene()
    const guest = await knock(await guestLink(founder, roomId), office.browser())
    const { db } = office.office.needs
    const media = office.office.needs.media as MediaPort
    const clock = office.clock
    const tokens = [await tokenOf(founder, roomId), await tokenOf(member, roomId, 'phone'), guest.rtcToken]
    for (const token of tokens) await joinRoom(office, token)
    const identities = await inside(roomId)
    expect(identities).toEqual([founder.id, `${member.id}#phone`, guest.guestIdentity].sort())
    for (const identity of [...identities, 'EG_machinery'])
      await personConnected({ db, clock, media }, { room: roomId as RoomId, identity, ...arrival })
    expect(await inside(roomId)).toEqual(identities)
  })

  it('end for members of another organization, and in rooms that are nobody’s they are nobody’s business', async () => {
    const [here, there] = [await scene(), await scene()]
    const { db } = office.office.needs
    const media = office.office.needs.media as MediaPort
    const clock = office.clock
    await joinRoom(office, await tokenOf(here.member, here.roomId))
    const connected = (room: string, identity: string) =>
      personConnected({ db, clock, media }, { room: room as RoomId, identity, ...arrival })
    await connected(crypto.randomUUID(), here.member.id)
    await connected(there.roomId, there.member.id)
    expect(await inside(here.roomId)).toEqual([here.member.id])
    // as if one of theirs were inside
    const removed: string[] = []
    const watched = {
      ...media,
      remove: async (_room: string, identity: string) => removed.push(identity) > 0,
    }
    await personConnected(
      { db, clock, media: watched },
      { room: here.roomId as RoomId, identity: there.member.id, ...arrival },
    )
    expect(removed).toEqual([there.member.id])
  })

  describe('end with the session that they were made from', () => {
    /** Grace in a room twice: by one session, and by another of hers. */
    async function twoSessions() {
      const { founder, member, roomId } = await scene()
      const { browser } = await signInAgain(office, member.email)
      const here = await tokenOf(member, roomId)
      const there = await tokenOf({ ...member, browser }, roomId, 'laptop')
      await joinRoom(office, here)
      await joinRoom(office, there)
      const whoIsKnown = async () =>
        (await founder.browser.call('getRoom', { roomId })).room.people.map(({ userId }) => userId)
      await until(async () => (await whoIsKnown()).includes(member.id))
      return { founder, member, roomId, here, there, elsewhere: browser }
    }

    it('by signing out, and no token of before lets them in again', async () => {
      const { member, roomId, here } = await twoSessions()
      const second = await tokenOf(member, roomId, 'phone')
      await member.browser.call('signOut')
      await until(async () => (await inside(roomId)).join() === `${member.id}#laptop`)
      for (const token of [here, second]) {
        await joinRoom(office, token)
        await until(async () => (await inside(roomId)).join() === `${member.id}#laptop`)
      }
    })

    it('also where somebody ends it from elsewhere, as of a laptop that is lost', async () => {
      const { member, roomId, there } = await twoSessions()
      await member.browser.call('endSessions', { others: true })
      await until(async () => (await inside(roomId)).join() === member.id)
      await joinRoom(office, there)
      await until(async () => (await inside(roomId)).join() === member.id)
    })

    it('and by going on in another organization', async () => {
      const { roomId, member, elsewhere } = await twoSessions()
      const { id } = await elsewhere.call('createOrganization', { name: 'Their own' })
      await elsewhere.call('switchOrganization', { email: member.email, organizationId: id })
      await until(async () => (await inside(roomId)).join() === member.id)
    })

    it('when the media server was away, as soon as it answers', async () => {
      const { member, roomId } = await twoSessions()
      await atMedia(office, 'faults', { calls: 'refused' })
      await member.browser.call('signOut')
      const failed = () =>
        office.database.pool.query('select from work_items where queue = $1 and attempts > 0', [
          SESSION_ENDS_QUEUE,
        ])
      await until(async () => (await failed()).rowCount === 1)
      await atMedia(office, 'faults', { calls: 'answered' })
      await until(async () => {
        office.clock.advance(20)
        await office.office.work.worker(SESSION_ENDS_QUEUE).drain()
        return (await inside(roomId)).join() === `${member.id}#laptop`
      })
    })

    it('and what tokens say of it is no name of a session, and the same for each of one', async () => {
      const { member, here, there } = await twoSessions()
      const saidBy = (token: string) => claimsOf(token).attributes.session
      const { sessions } = await member.browser.call('listSessions')
      expect(saidBy(here)).toMatch(/^[0-9a-f]{32}$/)
      expect(saidBy(here)).not.toBe(saidBy(there))
      expect(sessions.map(({ id }) => id)).not.toContain(saidBy(here))
    })
  })
})
