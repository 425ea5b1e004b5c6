import type { ImageType } from './verdict.ts'
import { isWebp, readWebp } from './webp-container.ts'

/** What the container of an image shows without decoding it. */
export interface Container {
  type: ImageType
  /** It has frames that are all decoded. Those of a PNG are none of them: they count as more than a picture. */
  animated: boolean
  /** Anything beside the picture and how its colours are meant: EXIF, XMP, IPTC, comments, bytes behind the end. */
  carriesMore: boolean
}

/** Segments of JPEG that belong to the picture: JFIF, colour profile, Adobe's colour transform, and all without a payload of words. */
const JPEG_APP0 = 0xe0
const JPEG_APP2 = 0xe2
const JPEG_APP14 = 0xee
const JPEG_APP15 = 0xef
const JPEG_COMMENT = 0xfe
const JPEG_SCAN = 0xda
const JPEG_END = 0xd9

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const PNG_PICTURE = new Set([
  ...['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'cHRM', 'gAMA', 'iCCP', 'sBIT', 'sRGB', 'cICP', 'bKGD', 'pHYs'],
])

/**
 * Reads the container of an image by its own rules. Strict: what it does not know counts as more than a picture.
 * @returns undefined where the bytes are of no format that we take
 */
export function readContainer(bytes: Uint8Array): Container | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (buffer.length > 3 && buffer.readUIntBE(0, 3) === 0xffd8ff) {
    return { type: 'image/jpeg', animated: false, carriesMore: !isBareJpeg(buffer) }
  }
  if (buffer.subarray(0, 8).equals(PNG_SIGNATURE)) return readPng(buffer)
  if (isWebp(buffer)) return { type: 'image/webp', ...readWebp(buffer) }
  return undefined
}

function isBareJpeg(buffer: Buffer): boolean {
  for (let at = 2; at + 4 <= buffer.length; ) {
    if (buffer[at] !== 0xff) return false
    const marker = buffer.readUInt8(at + 1)
    const length = buffer.readUInt16BE(at + 2)
    if (marker === JPEG_COMMENT || isForeignApp(marker, buffer, at + 4)) return false
    at += 2 + length
    if (marker === JPEG_SCAN) at = endOfScan(buffer, at)
    if (buffer[at] === 0xff && buffer[at + 1] === JPEG_END) return at + 2 === buffer.length
  }
  return false
}

function isForeignApp(marker: number, buffer: Buffer, payloadAt: number): boolean {
  if (marker < JPEG_APP0 || marker > JPEG_APP15) return false
  const says = (name: string) => buffer.toString('latin1', payloadAt, payloadAt + name.length) === name
  if (marker === JPEG_APP0) return !says('JFIF\0')
  if (marker === JPEG_APP2) return !says('ICC_PROFILE\0')
  if (marker === JPEG_APP14) return !says('Adobe')
  return true
}

/** Where the next marker after coded data is: not a stuffed 0xff00, nor a restart. */
function endOfScan(buffer: Buffer, from: number): number {
  for (
    let at = buffer.indexOf(0xff, from);
    at >= 0 && at + 1 < buffer.length;
    at = buffer.indexOf(0xff, at + 1)
  ) {
    const marker = buffer.readUInt8(at + 1)
    if (marker !== 0 && marker !== 0xff && (marker < 0xd0 || marker > 0xd7)) return at
  }
  return buffer.length
}

function readPng(buffer: Buffer): Container {
  const found: Container = { type: 'image/png', animated: false, carriesMore: false }
  let at = PNG_SIGNATURE.length
  while (at + 12 <= buffer.length) {
    const name = buffer.toString('latin1', at + 4, at + 8)
    if (!PNG_PICTURE.has(name)) found.carriesMore = true
    at += 12 + buffer.readUInt32BE(at)
    if (name === 'IEND') break
  }
  if (at !== buffer.length) found.carriesMore = true
  return found
}
