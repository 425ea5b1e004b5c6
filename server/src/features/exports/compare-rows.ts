import { createHash } from 'node:crypto'
import type { ArchiveChapter } from '../../directory/archive-chapter.ts'
import type { Tx } from '../../platform/database/database.ts'
import { type Archived, readRows } from './chapter-rows.ts'

/** What a chapter has, as two offices can compare it. */
export interface ChapterDigest {
  rows: number
  /** SHA-256 of each line, added up: databases sort texts differently. In hexadecimal digits. */
  digest: string
}

export interface RowsDigest {
  add(lines: readonly string[]): void
  read(): ChapterDigest
}

const DIGEST_BITS = 256

/** Counts and digests lines of JSON, in whatever order they come. */
export function rowsDigest(): RowsDigest {
  let rows = 0
  let sum = 0n
  return {
    add(lines) {
      rows += lines.length
      for (const line of lines)
        sum = BigInt.asUintN(
          DIGEST_BITS,
          sum + BigInt(`0x${createHash('sha256').update(line).digest('hex')}`),
        )
    },
    read: () => ({ rows, digest: sum.toString(16).padStart(DIGEST_BITS / 4, '0') }),
  }
}

/**
 * Holds a chapter of this office against an archive.
 * @throws Error with a sentence for the operator where they differ
 */
export async function requireSameRows(
  tx: Tx,
  archived: Archived,
  chapter: ArchiveChapter,
  expected: ChapterDigest,
): Promise<void> {
  const here = rowsDigest()
  for await (const lines of readRows(tx, archived, chapter)) here.add(lines)
  const found = here.read()
  if (found.rows !== expected.rows)
    throw new Error(
      `The chapter ${chapter.name} has ${expected.rows} rows in the archive, and ${found.rows} in this office`,
    )
  if (found.digest !== expected.digest)
    throw new Error(
      `The ${expected.rows} rows of the chapter ${chapter.name} differ from those of the archive`,
    )
}
