import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keepKey, publishedDevice, sealedRoom } from '../../../tests/chapters/sealed-rooms.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember } from '../../../tests/people.ts'

describe('fetchRoomKey', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('answers what was sealed to a device of the caller, and to none else', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const roomId = await sealedRoom(founder)
    const deviceId = await publishedDevice(member)
    const read = (person: typeof member, device: string) =>
      person.browser.call('fetchRoomKey', { roomId, deviceId: device })
    expect(await read(member, deviceId)).toEqual({ epoch: 0, box: null })
    await keepKey(office, roomId, { device: deviceId })
    expect(await read(member, deviceId)).toEqual({ epoch: 1, box: 'A'.repeat(107) })
    for (const device of [deviceId, randomUUID()])
      expect(await read(founder, device)).toEqual({ epoch: 1, box: null })
    // the key of a device that has ended opens nothing more
    await member.browser.call('endDevice', { deviceId })
    expect(await read(member, deviceId)).toEqual({ epoch: 1, box: null })
  })

  it('finds no room of another organization', async () => {
    const [founder, stranger] = [await newFounder(office), await newFounder(office)]
    const roomId = await sealedRoom(founder)
    const deviceId = await publishedDevice(stranger)
    expect(await stranger.browser.request('fetchRoomKey', { roomId, deviceId })).toMatchObject({
      ...{ status: 404, body: { error: 'room-not-found' } },
    })
  })
})
