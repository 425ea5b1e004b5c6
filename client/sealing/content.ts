import { type Bytes, digestOf, joined, toBytes, toText } from './bytes.ts'
import type { Entrant } from './words.ts'

/** What is in the box of each one whom a key is for. */
export interface Content {
  key: Bytes
  /** Of everybody whom it is for. */
  roster: string
  /** Marks of those inside whom it is not for: so guests, who cannot ask the office, come to the same roster. */
  leftOut: readonly string[]
}

const KEY_BYTES = 32
const MARK_BYTES = 8
/** The office takes boxes of 512 characters. Of more than these guests learn nothing, and have no key. */
const MARKS_MAX = 29

export function contentOf({ key, roster, leftOut }: Content): Bytes {
  return joined(...[toText(key), roster, ...leftOut].map((text) => toBytes(text) ?? new Uint8Array()))
}

/** @returns undefined for what is no content */
export function readContent(bytes: Bytes): Content | undefined {
  const marks = (bytes.length - 2 * KEY_BYTES) / MARK_BYTES
  if (!Number.isInteger(marks) || marks < 0) return undefined
  const leftOut = Array.from({ length: marks }, (_, index) => {
    const from = 2 * KEY_BYTES + index * MARK_BYTES
    return toText(bytes.slice(from, from + MARK_BYTES))
  })
  return { key: bytes.slice(0, KEY_BYTES), roster: toText(bytes.slice(KEY_BYTES, 2 * KEY_BYTES)), leftOut }
}

export async function marksOf(identities: readonly string[]): Promise<string[]> {
  return await Promise.all(identities.slice(0, MARKS_MAX).map(markOf))
}

/** @returns the identities of those whom the marks name */
export async function whoIsMarked(entrants: readonly Entrant[], marks: readonly string[]): Promise<string[]> {
  const marked = entrants.map(async ({ identity }) =>
    marks.includes(await markOf(identity)) ? [identity] : [],
  )
  return (await Promise.all(marked)).flat()
}

async function markOf(identity: string): Promise<string> {
  return toText((await digestOf(['atrium left out', identity])).slice(0, MARK_BYTES))
}
