import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  atMedia,
  enterRoom,
  guestLink,
  insideOf,
  joinRoom,
  knock,
  leaveRoom,
  newRoom,
} from '../../../tests/chapters/rooms.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember } from '../../../tests/people.ts'
import { until } from '../../../tests/until.ts'

describe('the stay of a guest', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
    await until(async () => office.office.jobs.isLeader())
  })
  afterAll(() => office.close())

  async function scene(guestName = 'Gast') {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const { id: roomId } = await newRoom(founder)
    await enterRoom(office, member, roomId)
    const link = await guestLink(founder, roomId, { durationSeconds: 86_400 })
    const browser = office.browser()
    const { guestIdentity: identity, rtcToken } = await knock(link, browser, guestName)
    const ask = () => knock(link, browser, guestName)
    const admit = (guestIdentity = identity) =>
      founder.browser.call('admitGuest', { roomId, guestIdentity, action: 'admit' })
    const lock = (locked = true) => member.browser.call('lockRoom', { roomId, locked })
    const count = async () => (await founder.browser.call('getRoom', { roomId })).room.guests
    const come = async (token = rtcToken) => {
      await joinRoom(office, token)
      await until(async () => (await count()) === 1)
      await until(async () => (await rowOf(identity)).connection !== null)
    }
    const go = async () => {
      await atMedia(office, 'leave', { room: roomId, identity })
      await until(async () => (await count()) === 0)
      await until(async () => (await rowOf(identity)).connection === null)
    }
    const isIn = async () => (await insideOf(office, roomId)).has(identity)
    const look = () => office.office.jobs.runNow('look-for-guests')
    const stateOf = async () => (await rowOf(identity)).state as string
    return { founder, member, roomId, identity, rtcToken, ask, admit, lock, come, go, isIn, look, stateOf }
  }

  async function rowOf(identity: string) {
    const { rows } = await office.database.pool.query('select * from guests where id = $1', [
      identity.replace('guest:', ''),
    ])
    return rows[0]
  }

  describe('at a locked room', () => {
    it('has not begun where they were let in before and never came: they wait anew', async () => {
      const { identity, ask, admit, lock, stateOf } = await scene()
      await admit()
      expect(await ask()).toMatchObject({ guestIdentity: identity, state: 'admitted' })
      await lock()
      const again = await ask()
      expect(again.state).toBe('waiting')
      expect(again.guestIdentity).not.toBe(identity)
      expect(await stateOf()).toBe('left')
    })

    it('ends where they come by an older token: they are put out, and wait anew', async () => {
      const { ask, admit, lock, isIn, rtcToken, stateOf } = await scene()
      await admit()
      const { rtcToken: strong } = await ask()
      await lock()
      for (const token of [strong, rtcToken]) {
        await joinRoom(office, token)
        await until(async () => !(await isIn()))
      }
      expect(await stateOf()).toBe('left')
      expect((await ask()).state).toBe('waiting')
    })

    it('goes on over a reload of who is inside, and begins where a member inside admits', async () => {
      const { founder, member, roomId, identity, ask, admit, lock, come, go, isIn } = await scene()
      await lock()
      await enterRoom(office, founder, roomId)
      await admit()
      expect(await ask()).toMatchObject({ guestIdentity: identity, state: 'admitted' })
      await come()
      await lock(false)
      await member.browser.call('lockRoom', { roomId, locked: true })
      await go()
      const back = await ask()
      expect(back).toMatchObject({ guestIdentity: identity, state: 'admitted' })
      await come(back.rtcToken)
      expect(await isIn()).toBe(true)
    })
  })

  it('does not begin at a desk that its owner has left', async () => {
    const founder = await newFounder(office)
    const owner = await newMember(office, founder, 'member')
    const { room } = await owner.browser.call('openDesk')
    await enterRoom(office, owner, room.id)
    const link = await guestLink(founder, room.id)
    const browser = office.browser()
    const { guestIdentity } = await knock(link, browser)
    await founder.browser.call('admitGuest', { roomId: room.id, guestIdentity, action: 'admit' })
    await leaveRoom(office, owner, room.id)
    expect((await knock(link, browser)).state).toBe('waiting')
  })

  it('ends a minute after they have left, however often they ask', async () => {
    const { identity, ask, admit, come, go, look, stateOf } = await scene()
    await admit()
    await come((await ask()).rtcToken)
    await go()
    for (let time = 0; time < 2; time += 1) {
      office.clock.advance(25)
      await look()
      expect(await ask()).toMatchObject({ guestIdentity: identity, state: 'admitted' })
    }
    office.clock.advance(11)
    await look()
    expect(await stateOf()).toBe('left')
    expect((await ask()).state).toBe('waiting')
  })

  it('ends with the room being empty for a minute, also of who has not come yet', async () => {
    const { member, roomId, ask, admit, look, stateOf } = await scene()
    await admit()
    // the media server has the clock of the machine, which is behind that of the office by now
    await office.database.pool.query(
      `update guests set since = now() - interval '1 minute' where state = 'admitted'`,
    )
    await leaveRoom(office, member, roomId)
    office.clock.advance(61)
    await look()
    expect(await stateOf()).toBe('left')
    expect((await ask()).state).toBe('waiting')
  })

  it('goes on where they come within that minute', async () => {
    const { member, roomId, ask, admit, come, look, stateOf } = await scene()
    await admit()
    await leaveRoom(office, member, roomId)
    office.clock.advance(30)
    await come((await ask()).rtcToken)
    office.clock.advance(61)
    await look()
    expect(await stateOf()).toBe('admitted')
  })

  it('is open to who was just admitted for the time of a token, however often they ask', async () => {
    const { ask, admit, look, stateOf } = await scene()
    office.clock.advance(600)
    await admit()
    office.clock.advance(600)
    await look()
    expect((await ask()).state).toBe('admitted')
    office.clock.advance(61)
    await look()
    expect(await stateOf()).toBe('left')
  })
})
