import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember, type Person } from '../../../tests/people.ts'
import { guestLink, insideOf, joinRoom, knock, newRoom } from '../../../tests/rooms.ts'
import { until } from '../../../tests/until.ts'
import type { RoomId } from '../../platform/ids.ts'
import { personConnected } from './connections.ts'
import { DEPARTURES_QUEUE } from './jobs.ts'

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
    const { db, media } = office.office.needs
    const tokens = [await tokenOf(founder, roomId), await tokenOf(member, roomId, 'phone'), guest.rtcToken]
    for (const token of tokens) await joinRoom(office, token)
    const identities = await inside(roomId)
    expect(identities).toEqual([founder.id, `${member.id}#phone`, guest.guestIdentity].sort())
    for (const identity of [...identities, 'EG_machinery'])
      await personConnected({ db, media }, { room: roomId as RoomId, identity })
    expect(await inside(roomId)).toEqual(identities)
  })

  it('end for members of another organization, and in rooms that are nobody’s they are nobody’s business', async () => {
    const [here, there] = [await scene(), await scene()]
    const { db, media } = office.office.needs
    await joinRoom(office, await tokenOf(here.member, here.roomId))
    const connected = (room: string, identity: string) =>
      personConnected({ db, media }, { room: room as RoomId, identity })
    await connected(crypto.randomUUID(), here.member.id)
    await connected(there.roomId, there.member.id)
    expect(await inside(here.roomId)).toEqual([here.member.id])
    // as if one of theirs were inside
    const removed: string[] = []
    const watched = {
      remove: async (_room: string, identity: string) => removed.push(identity) > 0,
    }
    await personConnected({ db, media: watched }, { room: here.roomId as RoomId, identity: there.member.id })
    expect(removed).toEqual([there.member.id])
  })
})
