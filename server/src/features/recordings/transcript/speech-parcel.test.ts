import { describe, expect, it } from 'vitest'
import { pack, type Speech, unpack } from './speech-parcel.ts'

const speech: Speech[] = [
  { from: 0, to: 1.5, identity: '7', name: 'Ada', sound: Buffer.from('first') },
  { from: 1, to: 2, identity: 'guest:1', name: 'Grüße', sound: Buffer.alloc(70_000, 7) },
  { from: 3, to: 3.5, identity: '7', name: 'Ada', sound: Buffer.alloc(0) },
]

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}

async function* inPieces(bytes: Uint8Array, length: number) {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

describe('a parcel of speech', () => {
  it.each([1_000, 65_536, 1_000_000])('gives back what was put in, in pieces of %i bytes', async (length) => {
    const packed = Buffer.concat(await all(pack(speech)))
    expect(await all(unpack(inPieces(packed, length)))).toEqual(speech)
  })

  it('leaves out what would not be taken from it again', async () => {
    const [first] = speech as [Speech]
    const large = { ...first, sound: Buffer.alloc(8 * 1024 * 1024 + 1) }
    const longNamed = { ...first, name: 'ü'.repeat(5_000) }
    const packed = Buffer.concat(await all(pack([large, ...speech, longNamed])))
    expect(await all(unpack(inPieces(packed, 65_536)))).toEqual(speech)
  })

  it('is refused where it was cut off, or is none', async () => {
    const packed = Buffer.concat(await all(pack(speech)))
    await expect(all(unpack(inPieces(packed.subarray(0, -30), 1_000)))).rejects.toThrow('cut off')
    await expect(all(unpack(inPieces(Buffer.alloc(100, 255), 10)))).rejects.toThrow('no parcel')
    expect(await all(unpack(inPieces(Buffer.alloc(0), 10)))).toEqual([])
  })
})
