import { constants, crc32, deflateRawSync } from 'node:zlib'

/** A part of a page, ready to be sent as it is or compressed. */
export interface PagePart {
  plain: Uint8Array<ArrayBuffer>
  /** Raw deflate, without an end: another part can follow. */
  deflated: Uint8Array<ArrayBuffer>
  /** Of `plain`. */
  checksum: number
}

/** Fast: a collector nearby is better served by a quick text than by a small one. */
const LEVEL = 1
const HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255)
const LAST_BLOCK = Uint8Array.of(3, 0)

export function pagePart(text: string): PagePart {
  const plain = Uint8Array.from(Buffer.from(text))
  const deflated = deflateRawSync(plain, { level: LEVEL, finishFlush: constants.Z_SYNC_FLUSH })
  return { plain, deflated: Uint8Array.from(deflated), checksum: crc32(plain) }
}

/**
 * A large part and a small one as one gzip member, in pieces to be sent one after the other. Two members in a row are
 * a gzip stream too, but browsers and some collectors read only the first.
 */
export function gzipOf(large: PagePart, small: PagePart): Uint8Array[] {
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(crc32(small.plain, large.checksum), 0)
  trailer.writeUInt32LE((large.plain.byteLength + small.plain.byteLength) >>> 0, 4)
  return [HEADER, large.deflated, small.deflated, LAST_BLOCK, trailer]
}
