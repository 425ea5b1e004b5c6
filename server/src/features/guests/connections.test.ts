import { AccessToken } from 'livekit-server-sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atMedia, guestLink, insideOf, joinRoom, knock, newRoom } from '../../../tests/chapters/rooms.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder } from '../../../tests/people.ts'
import { type RecordedOutbox, recordOutbox } from '../../../tests/recorded-outbox.ts'
import type { RoomId } from '../../platform/ids.ts'
import { guestConnected, guestDisconnected } from './connections.ts'
import { admittedGuests } from './reads.ts'

describe('connections of guests', () => {
  let office: TestOffice
  let outbox: RecordedOutbox
  beforeAll(async () => {
    office = await openTestOffice()
    outbox = await recordOutbox(office.database)
  })
  afterAll(() => office.close())

  const needs = () => {
    const { db, media, log } = office.office.needs
    return { db, media, log, clock: office.clock }
  }

  async function scene() {
    const founder = await newFounder(office)
    const roomId = (await newRoom(founder)).id as RoomId
    const link = await guestLink(founder, roomId, { allowAll: true })
    const browser = office.browser()
    const guest = await knock(link, browser)
    const { guestIdentity: identity } = guest
    const decide = (action: 'admit' | 'deny') =>
      founder.browser.call('admitGuest', { roomId, guestIdentity: identity, action })
    /** As the media server's events tell it. */
    const appear = async (token = guest.rtcToken, as = identity) => {
      const connection = await joinRoom(office, token)
      await guestConnected(needs(), { room: roomId, identity: as, connection, at: office.clock.now() })
      return connection
    }
    const isIn = async (as = identity) => (await insideOf(office, roomId)).get(as)
    const stateOf = async () => (await founder.browser.call('listGuests', { roomId })).guests[0]?.state
    return { founder, roomId, link, browser, guest, identity, decide, appear, isIn, stateOf }
  }

  /** A token that the media server takes, with all rights, as an official client holds one after it was let in. */
  async function strongToken(roomId: string, identity: string) {
    const { apiKey, apiSecret } = office.office.config.media as {
      apiKey: string
      apiSecret: { reveal(): string }
    }
    const token = new AccessToken(apiKey, apiSecret.reveal(), { identity, ttl: 600 })
    token.addGrant({ roomJoin: true, room: roomId, canPublish: true, canSubscribe: true })
    return await token.toJwt()
  }

  it('gives whoever was admitted before they came their rights', async () => {
    const { decide, appear, isIn } = await scene()
    await decide('admit')
    await appear()
    expect(await isIn()).toMatchObject({ mayPublish: true })
  })

  it('gives them again after a reload with the first token', async () => {
    const { decide, appear, isIn } = await scene()
    await appear()
    await decide('admit')
    await appear()
    expect(await isIn()).toMatchObject({ mayPublish: true })
  })

  it('puts out who was denied, every time they come back', async () => {
    const { decide, appear, isIn } = await scene()
    await decide('deny')
    for (let time = 0; time < 2; time += 1) {
      await appear()
      expect(await isIn()).toBeUndefined()
    }
  })

  it('leaves who waits where they are: who may admit is told once of a wait, however often they reload', async () => {
    const { founder, link, browser, appear, isIn } = await scene()
    for (let time = 0; time < 3; time += 1) {
      await knock(link, browser)
      await appear()
    }
    expect(await isIn()).toMatchObject({ mayPublish: false })
    const events = await outbox.events(`user:${founder.organizationId}`)
    expect(events.map(({ type }) => type)).toEqual(['guest.waiting'])
  })

  it('puts out who waited when the link expired, though nobody has written it down yet', async () => {
    const { roomId, identity, appear, isIn } = await scene()
    office.clock.advance(3_601)
    await appear(await strongToken(roomId, identity))
    expect(await isIn()).toBeUndefined()
  })

  it('puts out who has left and comes back with a token of all rights: they ask again, as somebody new', async () => {
    const { roomId, link, browser, identity, decide, appear, isIn } = await scene()
    const connection = await appear()
    await decide('admit')
    await atMedia(office, 'leave', { room: roomId, identity })
    await guestDisconnected(needs(), { room: roomId, identity, connection })
    office.clock.advance(61)
    await office.office.jobs.runNow('look-for-guests')
    await appear(await strongToken(roomId, identity))
    expect(await isIn()).toBeUndefined()
    const again = await knock(link, browser)
    expect(again.state).toBe('waiting')
    expect(again.guestIdentity).not.toBe(identity)
  })

  it.each(['guest:nobody', 'guest:00000000-0000-4000-8000-000000000000'])('puts out %s', async (identity) => {
    const { roomId, appear, isIn } = await scene()
    await appear(await strongToken(roomId, identity), identity)
    expect(await isIn(identity)).toBeUndefined()
  })

  it('puts out a second connection under an appended name', async () => {
    const { roomId, identity, decide, appear, isIn } = await scene()
    await appear()
    await decide('admit')
    const second = `${identity}#2`
    await appear(await strongToken(roomId, second), second)
    expect(await isIn(second)).toBeUndefined()
    expect(await isIn()).toMatchObject({ mayPublish: true })
  })

  it('puts a guest of one room out of another', async () => {
    const { founder, identity, decide } = await scene()
    await decide('admit')
    const { id } = await newRoom(founder)
    await founder.browser.call('authorizeRoom', { username: 'Ada', roomId: id })
    const connection = await joinRoom(office, await strongToken(id, identity))
    await guestConnected(needs(), { room: id as RoomId, identity, connection, at: office.clock.now() })
    expect((await insideOf(office, id)).size).toBe(0)
  })

  it('leaves everybody alone who is no guest', async () => {
    const { founder, roomId } = await scene()
    for (const identity of [founder.id, `${founder.id}#x`, 'EG_abc']) {
      const connection = await joinRoom(office, await strongToken(roomId, identity))
      await guestConnected(needs(), { room: roomId, identity, connection, at: office.clock.now() })
    }
    expect((await insideOf(office, roomId)).size).toBe(3)
  })

  it('takes a short absence for a reload, and an end of an older connection for nothing', async () => {
    const { roomId, identity, decide, appear, stateOf } = await scene()
    const first = await appear()
    await decide('admit')
    await guestDisconnected(needs(), { room: roomId, identity, connection: first })
    office.clock.advance(30)
    await appear()
    await guestDisconnected(needs(), { room: roomId, identity, connection: first })
    office.clock.advance(61)
    await office.office.jobs.runNow('look-for-guests')
    expect(await stateOf()).toBe('admitted')
  })

  it('tells others who is admitted', async () => {
    const { roomId, identity, decide } = await scene()
    const { db } = office.office.needs
    expect(await admittedGuests(db, roomId)).toEqual(new Set())
    await decide('admit')
    expect(await admittedGuests(db, roomId)).toEqual(new Set([identity]))
  })
})
