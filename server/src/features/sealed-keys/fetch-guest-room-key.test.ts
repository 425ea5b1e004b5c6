import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { admittedWithKey, keepKey, sealedRoom } from '../../../tests/chapters/sealed-rooms.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder } from '../../../tests/people.ts'

describe('fetchGuestRoomKey', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('answers a guest what was sealed to their page, until they are put out', async () => {
    const founder = await newFounder(office)
    const roomId = await sealedRoom(founder)
    const one = await admittedWithKey(founder, roomId, office.browser())
    const other = await admittedWithKey(founder, roomId, office.browser())
    const read = ({ browser, inviteId }: typeof one) => browser.request('fetchGuestRoomKey', { inviteId })
    expect((await read(one)).body).toEqual({ epoch: 0, box: null })
    await keepKey(office, roomId, { guestIdentity: one.guestIdentity })
    expect((await read(one)).body).toEqual({ epoch: 1, box: 'A'.repeat(107) })
    expect((await read(other)).body).toEqual({ epoch: 1, box: null })
    await founder.browser.call('removeGuest', { roomId, guestIdentity: one.guestIdentity })
    expect((await read(one)).status).toBe(401)
    expect((await read({ ...other, browser: office.browser() })).status).toBe(401)
  })
})
