import { imageContentTypes } from '@atrium/contract'

/** What files begin with, and what they are then. */
const SIGNATURES: readonly { at: number; bytes: string; type: string }[] = [
  { at: 0, bytes: '\xff\xd8\xff', type: 'image/jpeg' },
  { at: 0, bytes: '\x89PNG\r\n\x1a\n', type: 'image/png' },
  { at: 8, bytes: 'WEBP', type: 'image/webp' },
  { at: 0, bytes: 'GIF8', type: 'image/gif' },
  { at: 0, bytes: '%PDF-', type: 'application/pdf' },
  { at: 0, bytes: 'PK\x03\x04', type: 'application/zip' },
  { at: 0, bytes: '\x1f\x8b', type: 'application/gzip' },
  { at: 0, bytes: '7z\xbc\xaf\x27\x1c', type: 'application/x-7z-compressed' },
  { at: 4, bytes: 'ftyp', type: 'video/mp4' },
  { at: 0, bytes: '\x1aE\xdf\xa3', type: 'video/webm' },
  { at: 0, bytes: 'OggS', type: 'audio/ogg' },
  { at: 0, bytes: 'ID3', type: 'audio/mpeg' },
  { at: 8, bytes: 'WAVE', type: 'audio/wav' },
]
/** Of containers, what is in them is for who made them to say: a document is a ZIP. */
const CONTAINERS: Readonly<Record<string, RegExp>> = {
  'application/zip': /^application\/(vnd\.|epub\+zip$|java-archive$)/,
  'video/mp4': /^(audio\/|video\/|image\/(heic|heif|avif)$)/,
  'video/webm': /^(audio|video)\//,
  'audio/ogg': /^(audio|video)\//,
}
/** Texts that no browser runs. */
const PLAIN_TEXTS = ['text/csv', 'text/markdown', 'text/calendar', 'application/json']

/** How much of a file is looked at. */
export const HEAD_BYTES = 4_096

/**
 * What a file is by its content. What no signature tells is a text, or just bytes: HTML and SVG are texts, and nothing in
 * them is ever run.
 * @param head its first bytes
 * @param said what its sender calls it
 * @returns undefined where it is said to be a picture, and is none
 */
export function typeOfFile(head: Uint8Array, said: string): string | undefined {
  const told = said.toLowerCase()
  const text = Buffer.from(head).toString('latin1')
  const known = SIGNATURES.find(({ at, bytes }) => text.startsWith(bytes, at))?.type
  if (imageContentTypes.some((type) => type === told) && known !== told) {
    // a picture of another kind is a picture
    return imageContentTypes.find((type) => type === known)
  }
  if (known !== undefined) return CONTAINERS[known]?.test(told) ? told : known
  if (!isText(head)) return 'application/octet-stream'
  return PLAIN_TEXTS.includes(told) ? told : 'text/plain'
}

/** UTF-8 without NUL. The last character may be cut off where the head ends. */
function isText(head: Uint8Array): boolean {
  if (head.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}
