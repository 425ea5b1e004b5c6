import { open } from 'node:fs/promises'

/** A packet of RTP as it came in, without what only its way here needed. */
export interface StoredPacket {
  /** Milliseconds since the recording began. */
  at: number
  number: number
  /** By the clock of its source. */
  rtp: number
  /** The last of its picture. */
  marker: boolean
  payload: Buffer
}

const HEADER_BYTES = 13
const READ_BYTES = 256 * 1024

/** @param packet its payload is shorter than 64 KiB */
export function encodePacket({ at, number, rtp, marker, payload }: StoredPacket): Buffer {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + payload.length)
  bytes.writeUInt16BE(payload.length, 0)
  bytes.writeUInt32BE(Math.max(0, Math.round(at)), 2)
  bytes.writeUInt16BE(number, 6)
  bytes.writeUInt32BE(rtp, 8)
  bytes.writeUInt8(marker ? 1 : 0, 12)
  payload.copy(bytes, HEADER_BYTES)
  return bytes
}

/** The packets of a file, in the order of their arrival; the last may have been cut off. None where there is no file. */
export async function* readPackets(path: string): AsyncGenerator<StoredPacket> {
  const file = await open(path).catch(() => undefined)
  if (!file) return
  try {
    let rest: Buffer = Buffer.alloc(0)
    for await (const chunk of file.createReadStream({ highWaterMark: READ_BYTES }) as AsyncIterable<Buffer>) {
      const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
      let offset = 0
      while (bytes.length - offset >= HEADER_BYTES) {
        const end = offset + HEADER_BYTES + bytes.readUInt16BE(offset)
        if (end > bytes.length) break
        yield decodePacket(bytes.subarray(offset, end))
        offset = end
      }
      rest = bytes.subarray(offset)
    }
  } finally {
    await file.close().catch(() => undefined)
  }
}

function decodePacket(bytes: Buffer): StoredPacket {
  return {
    at: bytes.readUInt32BE(2),
    number: bytes.readUInt16BE(6),
    rtp: bytes.readUInt32BE(8),
    marker: bytes[12] === 1,
    payload: bytes.subarray(HEADER_BYTES),
  }
}
