import { randomInt } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

/** A PNG of one random colour, as large as asked: no image library stands between us and what we send. */
export function png(width: number, height = width): Buffer {
  const row = Buffer.concat([
    Buffer.from([0]),
    Buffer.alloc(width * 3, Buffer.from([0, 0, 0].map(() => randomInt(256)))),
  ])
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const rows = Buffer.concat(Array.from({ length: height }, () => row))
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** The same with words in it, as editing programs leave them. */
export function pngWithText(side: number, text: string): Buffer {
  const bare = png(side)
  const end = bare.length - 12
  return Buffer.concat([
    bare.subarray(0, end),
    chunk('tEXt', Buffer.from(`Comment\0${text}`)),
    bare.subarray(end),
  ])
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
