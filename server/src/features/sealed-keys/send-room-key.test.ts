import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { enterRoom, insideOf, joinRoom, leaveRoom, newRoom } from '../../../tests/chapters/rooms.ts'
import { admittedWithKey, newBox, publishedDevice, sealedRoom } from '../../../tests/chapters/sealed-rooms.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember, type Person } from '../../../tests/people.ts'
import { recordOutbox } from '../../../tests/recorded-outbox.ts'
import { until } from '../../../tests/until.ts'

describe('sendRoomKey', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
    await until(async () => office.office.jobs.isLeader())
  })
  afterAll(() => office.close())

  type Somebody = Pick<Person, 'browser' | 'id'>
  const send = ({ browser }: Pick<Person, 'browser'>, roomId: string, epoch: number, boxes: object[]) =>
    browser.request('sendRoomKey', { roomId, epoch, boxes } as never)
  const fetched = ({ browser }: Pick<Person, 'browser'>, roomId: string, deviceId: string) =>
    browser.call('fetchRoomKey', { roomId, deviceId })
  const conflict = (error: string) => ({ status: 409, body: { error } })

  /** Two members inside a sealed room, each with a device. */
  async function scene() {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const roomId = await sealedRoom(founder)
    const device = async (person: Somebody) => {
      await enterRoom(office, person, roomId)
      return { deviceId: await publishedDevice(person), box: newBox() }
    }
    return { founder, member, roomId, ofFounder: await device(founder), ofMember: await device(member) }
  }

  it('passes each box to the device that it is sealed to, epoch after epoch', async () => {
    const { founder, member, roomId, ofFounder, ofMember } = await scene()
    expect((await send(member, roomId, 1, [ofFounder, ofMember])).status).toBe(204)
    expect(await fetched(founder, roomId, ofFounder.deviceId)).toEqual({ epoch: 1, box: ofFounder.box })
    expect(await fetched(member, roomId, ofMember.deviceId)).toEqual({ epoch: 1, box: ofMember.box })
    const next = { ...ofMember, box: newBox() }
    expect((await send(founder, roomId, 2, [next])).status).toBe(204)
    expect(await fetched(member, roomId, ofMember.deviceId)).toEqual({ epoch: 2, box: next.box })
    // left out of the next one
    expect(await fetched(founder, roomId, ofFounder.deviceId)).toEqual({ epoch: 2, box: null })
  })

  it('takes the next epoch alone, and of several at once one', async () => {
    const { founder, member, roomId, ofFounder } = await scene()
    expect(await send(founder, roomId, 2, [ofFounder])).toMatchObject(conflict('epoch-taken'))
    for (const epoch of [1, 2]) {
      const sent = await Promise.all([founder, member].map((one) => send(one, roomId, epoch, [ofFounder])))
      expect(sent.map(({ status }) => status).toSorted()).toEqual([204, 409])
    }
    for (const epoch of [1, 2, 4])
      expect(await send(founder, roomId, epoch, [ofFounder])).toMatchObject(conflict('epoch-taken'))
  })

  it('is for members inside a sealed room that they may know of', async () => {
    const { founder, roomId, ofFounder } = await scene()
    const outside = await newMember(office, founder, 'admin')
    expect(await send(outside, roomId, 1, [ofFounder])).toMatchObject(conflict('not-inside'))
    const { id: open } = await newRoom(founder)
    await enterRoom(office, founder, open)
    expect(await send(founder, open, 1, [ofFounder])).toMatchObject(conflict('room-not-sealed'))
    const stranger = await newFounder(office)
    expect(await send(stranger, roomId, 1, [ofFounder])).toMatchObject({
      ...{ status: 404, body: { error: 'room-not-found' } },
    })
  })

  it('tells the people inside, and the room by a data packet, and no others', async () => {
    const { founder, member, roomId, ofMember } = await scene()
    await newMember(office, founder, 'admin')
    const outbox = await recordOutbox(office.database)
    const sendData = vi.spyOn(office.office.media.needs.media, 'sendData')
    await send(member, roomId, 1, [ofMember])
    const told = (await outbox.events()).filter(({ type }) => type === 'room.key')
    expect(new Set(told.map(({ channel }) => channel.split(':')[0]))).toEqual(new Set(['user']))
    expect(told.map(({ data }) => data)).toEqual([
      { roomId, epoch: 1 },
      { roomId, epoch: 1 },
    ])
    expect(sendData.mock.calls).toEqual([[roomId, 'room-key', { roomId, epoch: 1 }]])
    sendData.mockRejectedValueOnce(new Error('away'))
    // it is kept, and guests ask by themselves
    expect((await send(member, roomId, 2, [ofMember])).status).toBe(204)
    sendData.mockRestore()
  })

  it('keeps no box for a device of no member, nor for a guest who is not admitted', async () => {
    const { founder, roomId, ofFounder } = await scene()
    const stranger = await newFounder(office)
    const strange = { deviceId: await publishedDevice(stranger), box: newBox() }
    const nowhere = { deviceId: randomUUID(), box: newBox() }
    const guest = { guestIdentity: `guest:${randomUUID()}`, box: newBox() }
    expect((await send(founder, roomId, 1, [strange, nowhere, guest, ofFounder])).status).toBe(204)
    const { rows } = await office.database.pool.query('select box from room_key_boxes where room_id = $1', [
      roomId,
    ])
    expect(rows).toEqual([{ box: ofFounder.box }])
  })

  it('is forgotten when the last one inside leaves, a guest too', async () => {
    const { founder, member, roomId, ofFounder } = await scene()
    const guest = await admittedWithKey(founder, roomId, office.browser())
    await joinRoom(office, guest.rtcToken)
    await until(async () => (await insideOf(office, roomId)).has(guest.guestIdentity))
    await until(async () => (await founder.browser.call('getRoom', { roomId })).room.guests === 1)
    const box = newBox()
    await send(founder, roomId, 1, [ofFounder, { guestIdentity: guest.guestIdentity, box }])
    for (const one of [founder, member]) await leaveRoom(office, one, roomId)
    const ofGuest = () => guest.browser.call('fetchGuestRoomKey', { inviteId: guest.inviteId })
    expect(await ofGuest()).toEqual({ epoch: 1, box })
    await founder.browser.call('removeGuest', { roomId, guestIdentity: guest.guestIdentity })
    await expect
      .poll(() => fetched(founder, roomId, ofFounder.deviceId), { timeout: 20_000 })
      .toEqual({ epoch: 0, box: null })
    const { rows } = await office.database.pool.query('select box from room_key_boxes where room_id = $1', [
      roomId,
    ])
    expect(rows).toEqual([])
  })

  it('refuses what is no box, and one for two or for none', async () => {
    const { founder, roomId, ofFounder } = await scene()
    const both = { ...ofFounder, guestIdentity: `guest:${randomUUID()}` }
    for (const box of [
      both,
      { box: newBox() },
      { ...ofFounder, box: 'x'.repeat(513) },
      { ...ofFounder, box: '=' },
    ])
      expect((await send(founder, roomId, 1, [box])).status).toBe(400)
    for (const boxes of [[], Array.from({ length: 501 }, () => ofFounder)])
      expect((await send(founder, roomId, 1, boxes)).status).toBe(400)
    for (const epoch of [0, -1, 1.5])
      expect((await send(founder, roomId, epoch, [ofFounder])).status).toBe(400)
  })
})
