import type { Room } from 'livekit-client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createSignals } from './follow-signals.ts'
import { decodeSignal, type RoomSignal } from './room-signal.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('says a hand again that did not arrive, as it is by then', async () => {
  const said: (RoomSignal | undefined)[] = []
  let isAway = true
  const publishData = async (payload: Uint8Array, { topic }: { topic: string }) => {
    if (isAway) throw new Error('no way to the media server')
    said.push(decodeSignal(topic, payload))
  }
  const localParticipant = { identity: 'ada', publishData }
  const room = { state: 'connected', localParticipant, on: () => room } as unknown as Room
  const signals = createSignals(Date.now, () => {})
  signals.follow(room)
  signals.raise(true)
  await vi.advanceTimersByTimeAsync(1_500)
  signals.raise(false)
  isAway = false
  await vi.advanceTimersByTimeAsync(5_000)
  expect(said.length).toBeGreaterThan(0)
  expect(new Set(said.map((one) => JSON.stringify(one)))).toEqual(
    new Set([JSON.stringify({ topic: 'atrium.hand', raised: false, since: 0 })]),
  )
})
