/** What an archive is made of (docs/exports.md). Another layout is another version. */

export const FORMAT = 'atrium-archive'
export const FORMAT_VERSION = 1

/** The first file. */
export const HEADER = 'archive.json'

export interface ArchiveHeader {
  format: typeof FORMAT
  version: number
  kind: 'organization' | 'person'
  /** RFC 3339. */
  madeAt: string
  madeBy: string
  organization?: { id: string; organizationId: string; name: string }
  person?: { id: string }
  chapters: readonly { name: string; rows: number; columns: readonly string[] }[]
}

/** One file of the lines of a chapter; they are counted from 1. */
export function partName(chapter: string, number: number): string {
  return `${chapter}/${String(number).padStart(6, '0')}.jsonl`
}

/** Before the checksums, where something is missing: the keys of pictures and files that rows name and the store did not have. */
export const MISSING = 'missing.json'

const PICTURES = 'pictures/'
const FILES = 'files/'
/** Keys of the chat's files. */
const FILE_KEYS = 'attachments/'

const PICTURE_BYTES_MAX = 8 * 1024 * 1024
/** What the chat takes at most, whatever the operator sets (`CHAT_FILE_BYTES`). */
const FILE_BYTES_MAX = 1024 * 1024 * 1024

/** Columns in which rows name what lies in the store. */
export const KEY_COLUMNS = ['avatar_key', 'logo_key', 'object_key', 'preview_key'] as const

/** Whether a key is that of a file of the chat: of any content, where all others are pictures. */
export function isFileKey(key: string): boolean {
  return key.startsWith(FILE_KEYS)
}

/** Larger ones are not written, and not read. */
export function storedBytesMax(key: string): number {
  return isFileKey(key) ? FILE_BYTES_MAX : PICTURE_BYTES_MAX
}

/** The place of a picture or file, by the key that rows name it by. */
export function storedName(key: string): string {
  return `${isFileKey(key) ? FILES : PICTURES}${key}`
}

/** The key of a picture or file, where a place in the archive is one of them. */
export function storedKeyOf(name: string): string | undefined {
  const key = name.slice(name.indexOf('/') + 1)
  return name === storedName(key) ? key : undefined
}
