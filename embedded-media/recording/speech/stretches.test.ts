import { describe, expect, it } from 'vitest'
import type { OrderedPacket } from '../in-order.ts'
import { durationOf } from './opus-duration.ts'
import { type Stretch, stretchesOf } from './stretches.ts'

const LOUD = 80
const FRAME_MS = 20

/** Packets of 20 milliseconds from one moment to another. */
const speech = (fromMs: number, toMs: number, bytes = LOUD): OrderedPacket[] =>
  Array.from({ length: (toMs - fromMs) / FRAME_MS }, (_, index) => packet(fromMs + index * FRAME_MS, bytes))

const packet = (atMs: number, bytes = LOUD): OrderedPacket => ({
  ...{ at: atMs, number: 0, rtp: atMs * 48, marker: false, afterLoss: false },
  payload: Buffer.alloc(bytes, 0xf8),
})

async function cut(packets: readonly OrderedPacket[]): Promise<Stretch[]> {
  async function* given() {
    yield* packets
  }
  const found: Stretch[] = []
  for await (const stretch of stretchesOf(given(), (rtp) => rtp / 48)) found.push(stretch)
  return found
}

const times = (stretches: readonly Stretch[]) => stretches.map(({ fromMs, toMs }) => [fromMs, toMs])

describe('stretchesOf', () => {
  it('cuts at a pause, and fills in a shorter silence', async () => {
    const found = await cut([...speech(0, 400), ...speech(1_000, 1_200), ...speech(4_000, 5_000)])
    expect(times(found)).toEqual([
      [0, 1_200],
      [4_000, 5_000],
    ])
    expect(found[0]?.packets.filter(({ data }) => data.length === 3)).toHaveLength(30)
    for (const { fromMs, toMs, packets } of found)
      expect(packets.reduce((sum, { ms }) => sum + ms, 0)).toBe(toMs - fromMs)
  })

  it('leaves out comfort noise, and silence that is sent as sound', async () => {
    const noise = Array.from({ length: 20 }, (_, index) => packet(2_000 + index * 400, 9))
    expect(times(await cut([...speech(0, 400), ...noise, ...speech(10_000, 10_400)]))).toEqual([
      [0, 400],
      [10_000, 10_400],
    ])
    expect(await cut(speech(0, 20_000, 3))).toEqual([])
  })

  it('cuts long speech where it is quietest, and loses nothing', async () => {
    const long = speech(0, 70_000).map((one) => (one.at === 27_000 ? packet(27_000, 10) : one))
    const found = await cut(long)
    expect(found[0]?.toMs).toBe(27_000)
    expect(found.every(({ fromMs, toMs }) => toMs - fromMs <= 30_000)).toBe(true)
    expect(found.flatMap(({ packets }) => packets)).toHaveLength(long.length)
  })

  it('lets time go on where the clock of a source stands still, and takes little of what comes then', async () => {
    const found = await cut([...Array.from({ length: 5_000 }, () => packet(0)), ...speech(20, 400)])
    expect(found.flatMap(({ packets }) => packets)).toHaveLength(23)
    expect(times(found)).toEqual([[0, 460]])
  })

  it('gives no stretch more bytes than Opus has in its time', async () => {
    const ordinary = speech(0, 10_000)
    const swollen = [...speech(10_000, 20_000, 1_400), ...speech(20_000, 30_000, 1_275)]
    const found = await cut([...ordinary, ...swollen])
    const packets = found.flatMap((one) => one.packets)
    expect(packets.every(({ data, ms }) => data.length <= 64 * ms + 16)).toBe(true)
    expect(packets.filter(({ data }) => data.length === 1_275)).toHaveLength(500)
    const tiny = Array.from({ length: 400 }, (_, index) => ({
      ...packet(index * 2.5),
      payload: Buffer.alloc(1_400, 0b10000_0_00),
    }))
    expect(await cut(tiny)).toEqual([])
  })

  it('takes nothing that is no Opus, from before the film, or from a clock that goes backwards', async () => {
    const empty = { ...packet(0), payload: Buffer.alloc(0) }
    const huge = packet(20, 2_000)
    const early = packet(-40)
    const hostile = [
      empty,
      huge,
      early,
      ...speech(40, 400),
      packet(100),
      packet(2 ** 31),
      ...speech(500, 900),
    ]
    expect(times(await cut(hostile))).toEqual([[40, 400]])
  })
})

describe('durationOf', () => {
  it.each<[string, number[], number | undefined]>([
    ['a frame of CELT', [0xf8], 20],
    ['two frames of CELT', [0xf9], 40],
    ['three frames of SILK', [0b00011_0_11, 3], undefined],
    ['two frames of SILK', [0b00011_0_01], 120],
    ['six frames of 20', [0xfb, 6], 120],
    ['a shorter frame', [0b10000_0_00], 2.5],
    ['a hybrid frame', [0b01100_0_00], 10],
    ['nothing', [], undefined],
    ['a count that is missing', [0xfb], undefined],
    ['no frames', [0xfb, 0], undefined],
  ])('knows %s', (_, bytes, ms) => {
    expect(durationOf(Uint8Array.from(bytes))).toBe(ms)
  })
})
