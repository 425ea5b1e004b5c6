import { afterAll, beforeAll, expect, it } from 'vitest'
import { guestLink, joinRoom, knock, newRoom } from '../../../tests/chapters/rooms.ts'
import { listenAs } from '../../../tests/listener.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder } from '../../../tests/people.ts'
import { until } from '../../../tests/until.ts'

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice()
  await until(async () => office.office.jobs.isLeader())
})
afterAll(() => office.close())

it('setGuestActivity tells how a guest is in the room that they are in', async () => {
  const founder = await newFounder(office)
  const { id: roomId } = await newRoom(founder)
  const inviteToken = await guestLink(founder, roomId)
  const { browser, guestIdentity, rtcToken } = await knock(inviteToken, office.browser())
  const { inviteId = '' } = await browser.call('authorizeGuest', { inviteToken, guestName: 'Gast' })
  const say = () => browser.request('setGuestActivity', { inviteId, sound: 'on', speaking: true, hand: true })
  expect(await say()).toMatchObject({ status: 401, body: { error: 'unauthenticated' } })
  await founder.browser.call('admitGuest', { roomId, guestIdentity, action: 'admit' })
  expect(await say()).toMatchObject({ status: 409, body: { error: 'not-inside' } })
  await joinRoom(office, rtcToken)
  const listener = await listenAs(founder)
  await until(async () => (await founder.browser.call('getRoom', { roomId })).room.guests === 1)
  expect((await say()).status).toBe(204)
  await expect
    .poll(() => listener.heard('room.activity'))
    .toEqual([{ roomId, guestIdentity, sound: 'off', speaking: false, hand: true }])
  listener.close()
})
