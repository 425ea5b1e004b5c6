import { EventEmitter } from 'node:events'
import { type Room, RoomEvent } from 'livekit-client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { CaptionLine } from '../call-state.ts'
import { createCaptions } from './follow-captions.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A connection to a media server that offers captions, and what it was asked. */
function connect(offered: Record<string, string> = { captions: 'off' }) {
  const asked: object[] = []
  const localParticipant = {
    attributes: offered,
    async setAttributes(attributes: Record<string, string>) {
      asked.push(attributes)
      localParticipant.attributes = attributes
    },
  }
  const room = Object.assign(new EventEmitter(), { localParticipant })
  const say = (id: string, text: string) =>
    room.emit(RoomEvent.TranscriptionReceived, [{ id, text }], { identity: '7', name: 'Ada' })
  return { room: room as unknown as Room, asked, say }
}

function open() {
  let lines: readonly CaptionLine[] = []
  const captions = createCaptions((next) => {
    lines = next
  })
  return { captions, texts: () => lines.map(({ text }) => text) }
}

it('shows the latest of what is said to those who read captions, and each for a while', async () => {
  const { captions, texts } = open()
  const { room, asked, say } = connect()
  captions.follow(room)
  say('0', 'not asked for')
  await captions.read(true)
  expect(asked).toEqual([{ captions: 'on' }])
  for (const text of ['one', 'two', 'three', 'four']) say(text, text)
  expect(texts()).toEqual(['two', 'three', 'four'])
  say('four', 'four, and more')
  expect(texts()).toEqual(['two', 'three', 'four, and more'])
  vi.advanceTimersByTime(12_000)
  expect(texts()).toEqual([])
  say('five', 'five')
  await captions.read(false)
  expect([asked.at(-1), texts()]).toEqual([{ captions: 'off' }, []])
})

it('asks again on the next connection for what was wanted, and for nothing where none are offered', async () => {
  const { captions } = open()
  captions.follow(connect().room)
  await captions.read(true)
  const next = connect()
  captions.follow(next.room)
  await captions.entered()
  expect(next.asked).toEqual([{ captions: 'on' }])
  const without = connect({})
  captions.follow(without.room)
  await captions.entered()
  expect(without.asked).toEqual([])
})
