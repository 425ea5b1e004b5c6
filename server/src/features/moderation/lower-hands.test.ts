import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atMedia, enterRoom, newRoom } from '../../../tests/chapters/rooms.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember } from '../../../tests/people.ts'
import { until } from '../../../tests/until.ts'

describe('lowerHands', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
    await until(async () => office.office.jobs.isLeader())
  })
  afterAll(() => office.close())

  it('lowers all hands in a room, and keeps them down for five seconds', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const { id: roomId } = await newRoom(founder)
    await enterRoom(office, member, roomId)
    const raise = () =>
      member.browser.call('setActivity', { roomId, sound: 'off', speaking: false, hand: true })
    const hands = async () =>
      (await founder.browser.call('getRoom', { roomId })).room.people.map(({ hand }) => hand)
    await raise()
    expect(await hands()).toEqual([true])
    expect((await founder.browser.request('lowerHands', { roomId })).status).toBe(204)
    expect(await hands()).toEqual([false])
    await raise()
    expect(await hands()).toEqual([false])
    office.clock.advance(5)
    await raise()
    expect(await hands()).toEqual([true])
  })

  it('lowers none where those inside cannot be told', async () => {
    const founder = await newFounder(office)
    const { id: roomId } = await newRoom(founder)
    await enterRoom(office, founder, roomId)
    await founder.browser.call('setActivity', { roomId, sound: 'off', speaking: false, hand: true })
    await atMedia(office, 'faults', { calls: 'refused' })
    expect((await founder.browser.request('lowerHands', { roomId })).status).toBe(503)
    await atMedia(office, 'faults', { calls: 'answered' })
    const { people } = (await founder.browser.call('getRoom', { roomId })).room
    expect(people.map(({ hand }) => hand)).toEqual([true])
  })

  it('is for moderators, in rooms of their organization', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const { id: roomId } = await newRoom(founder)
    expect(await member.browser.request('lowerHands', { roomId })).toMatchObject({
      status: 403,
      body: { error: 'role-not-allowed' },
    })
    const stranger = await newFounder(office)
    expect(await stranger.browser.request('lowerHands', { roomId })).toMatchObject({ status: 404 })
  })
})
