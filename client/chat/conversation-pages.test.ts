import { expect, it } from 'vitest'
import type { ConversationRow } from './chat-data.ts'
import { createConversationList } from './conversation-list.ts'

const row = (id: number): ConversationRow =>
  ({
    ...{ conversation_id: id, type: 'GROUP', title: `Group ${id}`, members: [], peer_user_id: null },
    ...{ unread_count: id === 1 ? 4 : 0, updated_at: new Date(id * 1_000).toISOString() },
  }) as unknown as ConversationRow

/** An office with so many conversations, the highest one moved last. */
function office(count: number) {
  const all = Array.from({ length: count }, (_, at) => row(count - at))
  const asked: number[] = []
  return {
    asked,
    me: async () => 9,
    async conversations(limit: number, cursor?: string) {
      asked.push(limit)
      return all.filter(({ updated_at }) => cursor === undefined || updated_at < cursor).slice(0, limit)
    },
  }
}

it('has all conversations, however many, and counts what is unread in the oldest', async () => {
  const data = office(60)
  const list = createConversationList(data)
  await list.refresh()
  expect(list.get().rows.map(({ conversation_id }) => conversation_id)).toEqual(
    Array.from({ length: 60 }, (_, at) => 60 - at),
  )
  expect(list.get().unread).toBe(4)
  list.close()
})

it.each([
  [49, 1],
  [50, 2],
  [250, 3],
])('asks for %i conversations %i times', async (count, times) => {
  const data = office(count)
  const list = createConversationList(data)
  await list.refresh()
  expect(list.get().rows).toHaveLength(count)
  expect(data.asked).toHaveLength(times)
  list.close()
})
