import { importedTrail } from '../../access/audit/imported-trail.ts'
import type { ArchiveChapter, ArchivedRow } from '../../directory/archive-chapter.ts'
import { keepWaiting, settleNames, type Waiting } from '../../directory/imported-accounts.ts'
import type { ArchiveFile } from '../../platform/archive/archive-reader.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { OrganizationId } from '../../platform/ids.ts'
import { type ImportNumbers, renumberedRow } from './new-numbers.ts'
import { importOf, linesOf, rowsOf, type VerifiedArchive } from './verify-archive.ts'

export interface Arrival {
  /** The lines of a part as this office stores them. */
  linesOf(file: ArchiveFile, chapter: ArchiveChapter): Promise<readonly string[]>
  /** Once all rows are stored. @returns how many people have an account here already */
  end(organization: OrganizationId): Promise<number>
}

/** Takes rows of an archive into this office, part by part, in their order. */
export function arrivalOf(
  tx: Tx,
  { cut }: Pick<VerifiedArchive, 'cut'>,
  numbers: ImportNumbers,
  now: Date,
): Arrival {
  const trail = importedTrail(cut, numbers)
  const waiting: Waiting[] = []

  const renumbered = async (rows: readonly ArchivedRow[], chapter: ArchiveChapter) => {
    if (chapter.table === 'audit_heads') return rows.map((row) => trail.end(row))
    const next = rows.map((row) => renumberedRow(row, chapter, numbers))
    if (chapter.table !== 'users') return next
    const settled = await settleNames(tx, next, now)
    waiting.push(...settled.waiting)
    return settled.rows
  }
  return {
    async linesOf(file, chapter) {
      const { complete = (row: ArchivedRow) => row } = importOf(chapter) ?? {}
      if (numbers.areKept)
        // as they were written, where nothing is added: the audit trail is hashed as it stands
        return importOf(chapter)?.complete
          ? rowsOf(file, chapter).map((row) => JSON.stringify(complete(row)))
          : linesOf(file)
      if (chapter.table === 'audit_entries') return await trail.continue(tx, linesOf(file))
      const rows = await renumbered(rowsOf(file, chapter), chapter)
      return rows.map((row) => JSON.stringify(complete(row)))
    },
    async end(organization) {
      await keepWaiting(tx, organization, waiting, now)
      return waiting.length
    },
  }
}
