import { expect, it } from 'vitest'
import type { ListedMessage } from './message-groups.ts'
import { countAfter, newestSeen } from './seen-messages.ts'

const listed = (ids: (number | undefined)[], sender_id = 2) =>
  ids.map((message_id) => ({ message: { message_id, sender_id } })) as ListedMessage[]
const placed = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ index, start: index * 100, end: index * 100 + 100 }))

it('what is below the window, or far above it, was not seen', () => {
  const list = listed([1, 2, 3, 4, 5])
  expect(newestSeen(list, placed(5), { top: 0, height: 300 })).toBe(3)
  expect(newestSeen(list, placed(5), { top: 0, height: 350 })).toBe(3)
  expect(newestSeen(list, placed(5), { top: 200, height: 300 })).toBe(5)
  expect(newestSeen(list, placed(5), { top: 0, height: 0 })).toBeUndefined()
  expect(newestSeen(listed([1, undefined]), placed(2), { top: 0, height: 500 })).toBe(1)
  expect(newestSeen([], [], { top: 0, height: 500 })).toBeUndefined()
})

it('new ones are those of others, after the last that was at the end', () => {
  expect(countAfter(listed([1, 2, 3]), 1, '7')).toBe(2)
  expect(countAfter(listed([1, 2, 3]), 1, '2')).toBe(0)
  expect(countAfter(listed([1, undefined]), 1, '7')).toBe(0)
})
