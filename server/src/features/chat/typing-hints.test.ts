import { expect, it } from 'vitest'
import { requireDeclared } from '../../../tests/run/declared-events.ts'
import { makeTypingHints } from './typing-hints.ts'

function hints(publish = async (_channels: readonly string[], _data: object) => {}) {
  let ms = 1_000_000
  const sent: { channels: readonly string[]; data: object }[] = []
  const made = makeTypingHints({
    clock: { now: () => new Date(ms) },
    broker: {
      publish(channels, data) {
        sent.push({ channels, data })
        return publish(channels, data)
      },
    },
  })
  const later = (seconds: number) => {
    ms += seconds * 1_000
  }
  return { ...made, sent, later }
}
const typing = { conversationId: 7, userId: '1' }
const channels = ['user:org_a:user_2']

it('tells a person and conversation once in two seconds, and others at once', () => {
  const { tell, isTooSoon, sent, later } = hints()
  expect(isTooSoon(typing)).toBe(false)
  tell(typing, channels)
  tell(typing, channels)
  expect(isTooSoon(typing)).toBe(true)
  expect(sent).toHaveLength(1)
  for (const other of [
    { ...typing, userId: '2' },
    { ...typing, conversationId: 8 },
  ])
    tell(other, channels)
  expect(sent).toHaveLength(3)
  later(1.9)
  expect(isTooSoon(typing)).toBe(true)
  later(0.1)
  expect(isTooSoon(typing)).toBe(false)
  tell(typing, channels)
  expect(sent).toHaveLength(4)
})

it('is the declared event', () => {
  const { tell, sent } = hints()
  tell(typing, channels)
  requireDeclared({ channels, type: 'conversation.typing', data: typing })
  expect(sent[0]?.data).toEqual({
    id: expect.any(String),
    time: expect.any(String),
    type: 'conversation.typing',
    data: typing,
  })
})

it('publishes nothing where nobody is to hear it, and harms nobody where the broker is away', async () => {
  const { tell, settle, sent } = hints(() => Promise.reject(new Error('the broker is away')))
  tell(typing, [])
  expect(sent).toEqual([])
  tell({ ...typing, userId: '2' }, channels)
  await settle()
  expect(sent).toHaveLength(1)
})
