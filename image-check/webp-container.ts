/** What the chunks of a WebP tell, without decoding them (the RIFF container of its specification). */
export interface WebpContainer {
  animated: boolean
  /** Anything beside the picture, its frames, and how its colours are meant. */
  carriesMore: boolean
}

interface Chunk {
  name: string
  payload: Buffer
}

const HEADER_BYTES = 12
const FRAME_HEADER_BYTES = 16
const PICTURE = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ICCP', 'ANIM', 'ANMF'])
const PICTURE_OF_FRAME = new Set(['VP8 ', 'VP8L', 'ALPH'])
/** Of the first byte of VP8X. */
const SAYS_EXIF_OR_XMP = 0x0c

export function isWebp(buffer: Buffer): boolean {
  return buffer.toString('latin1', 0, 4) === 'RIFF' && buffer.toString('latin1', 8, 12) === 'WEBP'
}

export function readWebp(buffer: Buffer): WebpContainer {
  const { chunks, isWhole } = chunksOf(buffer.subarray(HEADER_BYTES))
  const isExact = isWhole && buffer.readUInt32LE(4) + 8 === buffer.length
  return {
    animated: chunks.some(({ name }) => name === 'ANIM' || name === 'ANMF'),
    carriesMore: !isExact || !chunks.every(isPicture),
  }
}

function isPicture({ name, payload }: Chunk): boolean {
  if (name !== 'ANMF') return PICTURE.has(name)
  const { chunks, isWhole } = chunksOf(payload.subarray(FRAME_HEADER_BYTES))
  return isWhole && chunks.every((chunk) => PICTURE_OF_FRAME.has(chunk.name))
}

/** The same WebP with its picture alone: no frame is coded again. */
export function bareWebp(buffer: Buffer): Buffer {
  const { chunks } = chunksOf(buffer.subarray(HEADER_BYTES))
  const body = chunks
    .filter(({ name }) => PICTURE.has(name))
    .map(({ name, payload }) => writeChunk(name, barePayload(name, payload)))
  return writeChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...body]))
}

function barePayload(name: string, payload: Buffer): Buffer {
  if (name === 'VP8X') {
    const flags = Buffer.from(payload)
    flags[0] = (flags[0] ?? 0) & ~SAYS_EXIF_OR_XMP
    return flags
  }
  if (name !== 'ANMF') return payload
  const { chunks } = chunksOf(payload.subarray(FRAME_HEADER_BYTES))
  const kept = chunks.filter((chunk) => PICTURE_OF_FRAME.has(chunk.name))
  const frame = kept.map((chunk) => writeChunk(chunk.name, chunk.payload))
  return Buffer.concat([payload.subarray(0, FRAME_HEADER_BYTES), ...frame])
}

/** `isWhole`: the chunks fill the bytes to their end, and no further. */
function chunksOf(bytes: Buffer): { chunks: Chunk[]; isWhole: boolean } {
  const chunks: Chunk[] = []
  let at = 0
  while (at + 8 <= bytes.length) {
    const length = bytes.readUInt32LE(at + 4)
    chunks.push({
      name: bytes.toString('latin1', at, at + 4),
      payload: bytes.subarray(at + 8, at + 8 + length),
    })
    at += 8 + length + (length % 2)
  }
  return { chunks, isWhole: at === bytes.length }
}

function writeChunk(name: string, payload: Buffer): Buffer {
  const header = Buffer.alloc(8)
  header.write(name, 'latin1')
  header.writeUInt32LE(payload.length, 4)
  return Buffer.concat([header, payload, Buffer.alloc(payload.length % 2)])
}
