import { sql } from 'kysely'
import {
  type ArchiveChapter,
  type ArchivedRow,
  type NewNumbers,
  type Numbered,
  numbersOf,
  SEQUENCES,
} from '../../directory/archive-chapter.ts'
import { ArchiveProblem } from '../../platform/archive/tar.ts'
import type { Db } from '../../platform/database/database.ts'
import { KEY_COLUMNS } from './archive-format.ts'
import { importOf } from './verify-archive.ts'

/** The numbers of an archive in this office: those it came with, or a stretch of this office's own sequences. */
export interface ImportNumbers extends NewNumbers {
  areKept: boolean
  /** Of a picture or file: the second part of its key is the number of its owner; of a logo, an id that stays. */
  key(key: string): string
}

/** In an office without people an archive keeps its numbers: addresses that are known outside go on to hold. */
export const KEPT_NUMBERS: ImportNumbers = { areKept: true, of: (_, number) => number, key: (key) => key }

/** For others who take numbers while a stretch is taken. */
const LEEWAY = 1_000
/** Of one import: JSON keeps numbers up to 2^53, and an archive may say anything. */
const STRETCH_MAX = 10 ** 12

const OWNERS: Readonly<Record<string, Numbered>> = {
  avatars: 'users',
  attachments: 'organizations',
}

/**
 * Takes a stretch of each sequence, long enough for the highest number that the archive has. Numbers keep their order:
 * messages that of their time, and of two people the one who was first is first. What was taken is never given back, so that
 * an import that fails leaves a gap and nothing else.
 * @throws ArchiveProblem where a number of the archive is out of all proportion
 */
export async function takeNumbers(db: Db, highest: ReadonlyMap<Numbered, number>): Promise<ImportNumbers> {
  const shifts = new Map<Numbered, number>()
  for (const [numbered, most] of highest) {
    if (most > STRETCH_MAX)
      throw new ArchiveProblem(
        `The archive has a number among its ${numbered} that is too high for an office with people`,
      )
    const name = SEQUENCES[numbered]
    const { rows } = await sql<{ last: string }>`
      select setval(${name}::regclass, nextval(${name}::regclass) + ${LEEWAY + most}) as last`.execute(db)
    shifts.set(numbered, Number(rows[0]?.last) - most)
  }
  const of = (numbered: Numbered, number: string): string | undefined => {
    const most = highest.get(numbered) ?? 0
    return Number(number) > most ? undefined : String(Number(number) + (shifts.get(numbered) ?? 0))
  }
  return {
    areKept: false,
    of,
    key(key) {
      const [folder = '', owner = '', ...rest] = key.split('/')
      const numbered = OWNERS[folder]
      return [folder, numbered ? of(numbered, owner) : owner, ...rest].join('/')
    },
  }
}

/** A row under the numbers of this office: its own, those of rows that it names, and what its texts and values name. */
export function renumberedRow(
  row: ArchivedRow,
  chapter: ArchiveChapter,
  numbers: ImportNumbers,
): ArchivedRow {
  const next: Record<string, unknown> = { ...row }
  for (const [column, numbered] of numbersOf(chapter))
    if (typeof row[column] === 'number') next[column] = Number(numbers.of(numbered, String(row[column])))
  for (const column of KEY_COLUMNS)
    if (typeof row[column] === 'string') next[column] = numbers.key(row[column])
  return importOf(chapter)?.renumbered?.(next, numbers) ?? next
}
