import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inOrder } from './in-order.ts'
import { notesOf } from './notes.ts'
import { encodePacket, readPackets, type StoredPacket } from './packet-file.ts'
import { picturesOf } from './pictures.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packets-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const packet = (number: number, more: Partial<StoredPacket> = {}): StoredPacket => ({
  ...{ at: 0, number, rtp: 0, marker: false, payload: Buffer.from([number % 256]) },
  ...more,
})
async function* given(packets: readonly StoredPacket[]) {
  yield* packets
}
async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}

describe('a file of packets', () => {
  it('gives back what was appended, but for a last one that was cut off', async () => {
    const path = join(folder, 'cut')
    const packets = [
      packet(65_535, { at: 12, rtp: 4_294_967_295, marker: true }),
      packet(0, { payload: Buffer.alloc(1_200, 7) }),
    ]
    await writeFile(path, Buffer.concat(packets.map(encodePacket)))
    expect(await all(readPackets(path))).toEqual(packets)
    await truncate(path, (await readFile(path)).length - 1)
    expect(await all(readPackets(path))).toEqual(packets.slice(0, 1))
    expect(await all(readPackets(join(folder, 'none')))).toEqual([])
  })

  it('may be longer than what is read at once', async () => {
    const path = join(folder, 'long')
    const packets = Array.from({ length: 2_000 }, (_, number) =>
      packet(number, { payload: Buffer.alloc(1_000, number) }),
    )
    await writeFile(path, Buffer.concat(packets.map(encodePacket)))
    const read = await all(readPackets(path))
    expect(read.map(({ number }) => number)).toEqual(packets.map(({ number }) => number))
    expect(read.at(-1)?.payload).toEqual(packets.at(-1)?.payload)
  })

  it('notes beside it may end in the middle of a line', () => {
    expect(notesOf('{"note":"end","at":5}\n{"note":"cl')).toEqual([{ note: 'end', at: 5 }])
  })
})

describe('packets in order', () => {
  const numbers = async (packets: readonly StoredPacket[]) =>
    (await all(inOrder(given(packets)))).map(({ number, afterLoss }) =>
      afterLoss ? `lost ${number}` : number,
    )

  it('wait for those that were sent again, across the end of the numbers, each once', async () => {
    const came = [65_534, 0, 65_535, 2, 1, 2].map((number, index) => packet(number, { at: index * 10 }))
    expect(await numbers(came)).toEqual([65_534, 65_535, 0, 1, 2])
  })

  it('go on without one that never comes, and say so once', async () => {
    const came = [1, 3, 4].map((number, index) => packet(number, { at: index * 20 }))
    expect(await numbers([...came, packet(5, { at: 5_000 }), packet(2, { at: 5_010 })])).toEqual([
      1,
      'lost 3',
      4,
      5,
    ])
  })
})

describe('pictures of packets', () => {
  /** A payload of VP8: a descriptor, and the first byte of a picture. */
  const part = (begins: boolean, isKey = false) =>
    Buffer.concat([Buffer.from([begins ? 0x10 : 0x00]), Buffer.from([isKey ? 0 : 1]), Buffer.alloc(9, 1)])
  const pictures = async (packets: readonly StoredPacket[]) =>
    (await all(picturesOf(inOrder(given(packets))))).map(({ rtp, isKey, data }) => [rtp, isKey, data.length])
  const key = (number: number) => packet(number, { rtp: number, marker: true, payload: part(true, true) })
  const delta = (number: number, at = 0) =>
    packet(number, { at, rtp: number, marker: true, payload: part(true) })

  it('are put together of their parts, and begin with one that needs none before it', async () => {
    const parts = [
      packet(3, { rtp: 3, payload: part(true, true) }),
      packet(4, { rtp: 3, marker: true, payload: part(false) }),
    ]
    expect(await pictures([delta(2), ...parts, delta(5)])).toEqual([
      [3, true, 20],
      [5, false, 10],
    ])
  })

  it('stop after a loss until one needs none before it: nothing damaged is shown', async () => {
    expect(await pictures([key(1), delta(2), delta(4, 0), delta(5, 2_000), key(6), delta(7)])).toEqual([
      [1, true, 10],
      [2, false, 10],
      [6, true, 10],
      [7, false, 10],
    ])
  })
})
