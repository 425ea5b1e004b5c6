import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { busy } from '../../../tests/run/timed.ts'
import { beginStretch, endStretch, HELD_MS } from './loop-stretch.ts'

function holder() {
  const told: number[] = []
  return { told, loopMs: 0, onLoopHeld: (ms: number) => void told.push(ms) }
}

it('tells who held the event loop, and for how long', () => {
  const long = holder()
  beginStretch(long)
  busy(HELD_MS + 30)
  endStretch(long)
  expect(long.told).toHaveLength(1)
  expect(long.told[0]).toBeGreaterThanOrEqual(HELD_MS)
})

it('tells nothing of many short stretches, nor of what others did between them', () => {
  const short = holder()
  for (let n = 0; n < 4; n += 1) {
    beginStretch(short)
    busy(15)
    endStretch(short)
    busy(15)
  }
  expect(short.told).toEqual([])
})

it('adds up what the loop ran for one, short stretches too, and nothing between them', () => {
  const one = holder()
  beginStretch(one, 1_000)
  endStretch(one, 1_004)
  beginStretch(one, 1_100)
  endStretch(one, 1_103)
  expect(one.loopMs).toBe(7)
})

it('tells of the one that held it, where another began before its end', () => {
  const [first, second] = [holder(), holder()]
  beginStretch(first)
  busy(HELD_MS + 30)
  beginStretch(second)
  endStretch(first)
  endStretch(second)
  expect([first.told.length, second.told.length]).toEqual([1, 0])
})

it('ends a stretch with the turn of the loop, where nothing else ends it', async () => {
  const waiting = holder()
  beginStretch(waiting)
  await turn()
  await turn()
  busy(HELD_MS + 30)
  endStretch(waiting)
  expect(waiting.told).toEqual([])
})

it('tells nothing of time in which the process had no processor', () => {
  const paused = holder()
  beginStretch(paused)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, HELD_MS * 2)
  endStretch(paused)
  expect(paused.told).toEqual([])
})
