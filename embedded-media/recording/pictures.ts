import type { OrderedPacket } from './in-order.ts'

/** One encoded picture of VP8. */
export interface Picture {
  rtp: number
  data: Buffer
  /** It needs none before it. */
  isKey: boolean
  /** In pixels, where it is told: with key pictures. */
  size: { width: number; height: number } | undefined
}

/** Whole pictures only; after a loss, none until one needs none before it. */
export async function* picturesOf(packets: AsyncIterable<OrderedPacket>): AsyncGenerator<Picture> {
  let parts: Buffer[] = []
  let isWhole = false
  let needsKey = true
  for await (const packet of packets) {
    const { marker, payload, rtp, afterLoss } = packet
    if (afterLoss) [isWhole, needsKey] = [false, true]
    const described = describe(payload)
    if (!described) continue
    if (described.beginsPicture) {
      parts = []
      isWhole = true
    }
    parts.push(payload.subarray(described.length))
    if (!marker) continue
    const data = Buffer.concat(parts)
    const isKey = data.length >= KEY_HEADER_BYTES && ((data[0] ?? 1) & 1) === 0
    if (isWhole && data.length > 0 && (isKey || !needsKey)) {
      needsKey = false
      yield { rtp, data, isKey, size: isKey ? sizeOf(data) : undefined }
    } else needsKey = true
    parts = []
    isWhole = false
  }
}

const KEY_HEADER_BYTES = 10

/** The descriptor before a payload (RFC 7741); undefined for what only fills the line. */
function describe(payload: Buffer): { length: number; beginsPicture: boolean } | undefined {
  const first = payload[0]
  if (first === undefined) return undefined
  let length = 1
  if (first & 0x80) {
    const extension = payload[length] ?? 0
    length += 1
    if (extension & 0x80) length += (payload[length] ?? 0) & 0x80 ? 2 : 1
    if (extension & 0x40) length += 1
    if (extension & 0x30) length += 1
  }
  return length < payload.length ? { length, beginsPicture: (first & 0x17) === 0x10 } : undefined
}

/** RFC 6386, 9.1: after three bytes and a start code, width and height in 14 bits each. */
function sizeOf(data: Buffer): { width: number; height: number } {
  return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff }
}
