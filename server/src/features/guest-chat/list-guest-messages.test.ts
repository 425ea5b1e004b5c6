import { afterAll, beforeAll, expect, it } from 'vitest'
import { guestLink, knock, newRoom } from '../../../tests/chapters/rooms.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder } from '../../../tests/people.ts'

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice()
})
afterAll(() => office.close())

it('listGuestMessages reads a room without messages, and once a second', async () => {
  const founder = await newFounder(office)
  const { id: roomId } = await newRoom(founder)
  const inviteToken = await guestLink(founder, roomId)
  const { browser, guestIdentity } = await knock(inviteToken, office.browser())
  await founder.browser.call('admitGuest', { roomId, guestIdentity, action: 'admit' })
  const { inviteId = '' } = await browser.call('authorizeGuest', { inviteToken, guestName: 'Gast' })
  expect(await browser.call('listGuestMessages', { inviteId })).toEqual({ messages: [] })
  expect(await browser.request('listGuestMessages', { inviteId })).toMatchObject({
    status: 429,
    body: { error: 'rate-limited' },
  })
  office.clock.advance(1)
  expect((await browser.request('listGuestMessages', { inviteId })).status).toBe(200)
})
