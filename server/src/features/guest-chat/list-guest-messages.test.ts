import { afterAll, beforeAll, expect, it } from 'vitest'
import { chatterOf } from '../../../tests/chapters/chat.ts'
import { enterRoom, guestLink, knock, newRoom } from '../../../tests/chapters/rooms.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder } from '../../../tests/people.ts'

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice()
})
afterAll(() => office.close())

/** A guest who was let into a room, and a member who is in it. */
async function scene() {
  const founder = await newFounder(office)
  const { id: roomId } = await newRoom(founder)
  await enterRoom(office, founder, roomId)
  const { rest } = await chatterOf(office, founder)
  const { data } = await rest
    .rpc('open_room_conversation', { p_room_id: roomId })
    .single<{ conversation_id: number }>()
  const conversationId = data?.conversation_id as number
  const write = (content: string) => founder.browser.call('sendMessage', { conversationId, content })
  const early = await write('Before they came')
  const inviteToken = await guestLink(founder, roomId)
  const { browser, guestIdentity } = await knock(inviteToken, office.browser())
  await founder.browser.call('admitGuest', { roomId, guestIdentity, action: 'admit' })
  const { inviteId = '' } = await browser.call('authorizeGuest', { inviteToken, guestName: 'Gast' })
  let reads = 0
  // the database has a clock of its own: the office's goes on for the moment of the reading alone
  const read = async (more = {}) => {
    reads += 1
    office.clock.advance(reads)
    const answer = await browser.request('listGuestMessages', { inviteId, ...more })
    office.clock.advance(-reads)
    return answer
  }
  const listed = async (more = {}) => {
    const answer = await read(more)
    if (answer.status !== 200) throw new Error(`refused with ${answer.status}`)
    return answer.body
  }
  return { founder, write, early, read, listed }
}

it('listGuestMessages reads a room without messages, and once a second', async () => {
  const { read, listed } = await scene()
  expect(await listed()).toEqual({ messages: [], changed: [], asOf: expect.stringMatching(/Z$/) })
  office.clock.advance(-1)
  expect(await read()).toMatchObject({ status: 429, body: { error: 'rate-limited' } })
  office.clock.advance(1)
  expect((await read()).status).toBe(200)
})

it('tells what was edited or deleted since a moment, of what the guest may read alone', async () => {
  const { founder, write, early, read, listed } = await scene()
  const messages = [await write('Wrong'), await write('A secret'), await write('As it is')]
  const [edited, deleted, left] = messages.map((message) => message.message_id)
  const before = await listed()
  expect(before).toMatchObject({
    messages: [{ content: 'Wrong' }, { content: 'A secret' }, { content: 'As it is' }],
    changed: [],
  })
  await founder.browser.call('editMessage', { messageId: edited as number, content: 'Right' })
  await founder.browser.call('deleteMessage', { messageId: deleted as number })
  await founder.browser.call('deleteMessage', { messageId: early.message_id })
  const now = await listed({ after: left, changedSince: before.asOf })
  expect(now.messages).toEqual([])
  expect(now.changed.toSorted((one, other) => one.id - other.id)).toEqual([
    { id: edited, content: 'Right', isDeleted: false },
    { id: deleted, content: '', isDeleted: true },
  ])
  const later = new Date(Date.parse(now.asOf) + 11_000).toISOString()
  expect(await listed({ after: left, changedSince: later })).toMatchObject({ messages: [], changed: [] })
  expect((await listed()).messages).toMatchObject([{ content: 'Right' }, { content: 'As it is' }])

  expect(await read({ changedSince: '2026-02-30T00:00:00Z' })).toMatchObject({
    status: 400,
    body: { details: [{ field: 'changedSince' }] },
  })
})
