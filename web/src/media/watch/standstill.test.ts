import { describe, expect, it } from 'vitest'
import { createStandstill, type Sample, SILENT_MS, STILL_MS, type WaySample } from './standstill.ts'

const SECOND = 1_000
const nothing: WaySample = { tracks: new Map(), packets: 0 }
const way = (amount: number, packets: number | undefined = amount): WaySample => ({
  tracks: new Map([['camera', amount]]),
  packets,
})
const receiving = (sample: WaySample): Sample => ({ sending: nothing, receiving: sample })
const sending = (sample: WaySample): Sample => ({ sending: sample, receiving: nothing })

/** Looks once a second. @returns the seconds at which it said that media stands still */
function watch(seconds: number, sampleAt: (second: number) => Sample, from = createStandstill()): number[] {
  const said: number[] = []
  for (let second = 0; second <= seconds; second += 1)
    if (from(second * SECOND, sampleAt(second))) said.push(second)
  return said
}

describe('media that stands still', () => {
  it('is silence of the server, in either direction, within ten seconds', () => {
    expect(SILENT_MS).toBeLessThan(10 * SECOND)
    const stopsAt5 = (second: number) => Math.min(second, 5)
    expect(watch(20, (second) => receiving(way(stopsAt5(second))))[0]).toBe(11)
    // what one sends is counted on, whether anybody takes it or not
    expect(watch(20, (second) => sending(way(second, stopsAt5(second))))[0]).toBe(11)
  })

  it('is not the machine of another, as long as the server is heard', () => {
    const said = watch(60, (second) => receiving(way(Math.min(second, 5), second)))
    expect(said[0]).toBe(5 + STILL_MS / SECOND)
  })

  it('is nothing where all is muted, or flows', () => {
    expect(watch(120, () => ({ sending: nothing, receiving: nothing }))).toEqual([])
    expect(watch(120, (second) => ({ sending: way(second), receiving: way(second) }))).toEqual([])
  })

  it('is looked for by what flows where the browser counts no packets', () => {
    expect(watch(40, () => receiving({ tracks: new Map([['voice', 7]]), packets: undefined }))).toEqual([20])
  })

  it('is nothing that a page knows which has stood still itself', () => {
    const stands = createStandstill()
    expect(stands(0, receiving(way(1)))).toBe(false)
    expect(stands(40 * SECOND, receiving(way(1)))).toBe(false)
    expect(stands(41 * SECOND, receiving(way(1)))).toBe(false)
  })

  it('gives what begins anew time, and tries more rarely where that does not help', () => {
    const said = watch(200, () => receiving(way(1)))
    const pauses = said.slice(1).map((second, at) => second - (said[at] ?? 0))
    expect(said[0]).toBe(6)
    expect(pauses).toEqual([10, 30, 60].slice(0, pauses.length))
  })

  it('tries at once again after it was well for a minute', () => {
    const flows = (second: number) => second > 10 && second < 100
    const said = watch(110, (second) => receiving(way(flows(second) ? second : second < 50 ? 10 : 99)))
    expect(said).toEqual([6, 105])
  })

  it('starts anew with each track that comes', () => {
    const said = watch(9, (second) =>
      receiving({ tracks: new Map([[second < 5 ? 'one' : 'two', 1]]), packets: second < 5 ? 1 : 2 }),
    )
    expect(said).toEqual([])
  })
})
