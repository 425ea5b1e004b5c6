import { expect, it } from 'vitest'
import { lastOwn } from './editing.ts'

it('the last message to change is the newest of one’s own that is there', () => {
  const message = (message_id: number | undefined, sender_id: number, is_deleted = false) => ({
    ...{ message_id, sender_id, is_deleted },
  })
  const messages = [message(1, 42), message(2, 42), message(3, 42, true), message(4, 43)]
  expect(lastOwn(messages, '42')).toBe(2)
  expect(lastOwn(messages, '44')).toBeUndefined()
  expect(lastOwn([], undefined)).toBeUndefined()
  expect(lastOwn([...messages, message(undefined, 42)], '42'), 'on its way').toBeUndefined()
})
