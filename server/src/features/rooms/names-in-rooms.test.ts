import { afterAll, beforeAll, expect, it } from 'vitest'
import { enterRoom, insideOf, newRoom } from '../../../tests/chapters/rooms.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember } from '../../../tests/people.ts'
import { until } from '../../../tests/until.ts'

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice()
  await until(async () => office.office.jobs.isLeader())
})
afterAll(() => office.close())

it('who is renamed in a call is called so there, by every connection, and nobody else is', async () => {
  const founder = await newFounder(office)
  const member = await newMember(office, founder, 'member')
  const { id: roomId } = await newRoom(founder)
  await enterRoom(office, member, roomId)
  await enterRoom(office, founder, roomId)
  await member.browser.call('updateProfile', { displayName: 'Katherine Johnson' })
  const nameOf = async ({ id }: { id: string }) => (await insideOf(office, roomId)).get(id)?.name
  await until(async () => (await nameOf(member)) === 'Katherine Johnson')
  expect(await nameOf(founder)).toBe('Somebody')
})
