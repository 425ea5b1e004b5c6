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

const PICTURES = 'pictures/'

/** Larger ones are not written, and not read. */
export const PICTURE_BYTES_MAX = 8 * 1024 * 1024

/** The file of a picture, by the key that rows name it by. */
export function pictureName(key: string): string {
  return `${PICTURES}${key}`
}

/** The key of a picture, where a file is one. */
export function pictureKeyOf(name: string): string | undefined {
  return name.startsWith(PICTURES) ? name.slice(PICTURES.length) : undefined
}
