import { EncodedPacket, type EncodedVideoPacketSource } from 'mediabunny'
import type { Picture } from './pictures.ts'

/** A picture, and when it is shown. */
export interface Shot extends Picture {
  atMs: number
}

/** As it is added to a file. */
export function shotPacket({ data, isKey, atMs, size }: Shot): Parameters<EncodedVideoPacketSource['add']> {
  const packet = new EncodedPacket(data, isKey ? 'key' : 'delta', atMs / 1_000, 0)
  if (!size) return [packet]
  const decoderConfig = { codec: 'vp8', codedWidth: size.width, codedHeight: size.height }
  return [packet, { decoderConfig }]
}
