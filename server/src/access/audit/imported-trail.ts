import { sql } from 'kysely'
import type { ArchivedRow, NewNumbers, Numbered } from '../../directory/archive-chapter.ts'
import { ArchiveProblem } from '../../platform/archive/tar.ts'
import type { Db } from '../../platform/database/database.ts'
import type { OrganizationId } from '../../platform/ids.ts'
import { type ChainedEntry, GENESIS, hashOf } from './audit-chain.ts'
import { readChained } from './audit-verdict.ts'

/** A trail of another office, as it is taken over entry by entry. */
export interface ImportedTrail {
  /**
   * Entries as an archive has them, in their order: checked against their hashes, and chained anew under the numbers of
   * this office.
   * @returns the same lines for this office
   */
  continue(db: Db, lines: readonly string[]): Promise<string[]>
  /** The end of the trail, for this office. */
  end(head: ArchivedRow): ArchivedRow
}

/** An entry, or the end, is not as it was written. */
export function brokenTrail(sequence: string): ArchiveProblem {
  return new ArchiveProblem(
    `The audit trail of the archive is not as it was written: look at entry ${sequence}`,
  )
}

/** Whether an organization has come from an archive. @param archive the SHA-256 of its file */
export async function isImportOf(db: Db, organization: OrganizationId, archive: string): Promise<boolean> {
  const { rows } = await sql`
    select from audit_entries
    where organization_id = ${organization} and action = 'organization.imported' and detail::json ->> 'archive' = ${archive}
    limit 1`.execute(db)
  return rows.length > 0
}

const NUMBERED_TARGETS: Readonly<Record<string, Numbered>> = {
  user: 'users',
  bot: 'users',
  message: 'messages',
  'service-token': 'tokens',
  'directory-connection': 'tokens',
  webhook: 'webhooks',
}
const NUMBERED_DETAILS: Readonly<Record<string, Numbered>> = {
  author: 'users',
  startedBy: 'users',
  conversationId: 'conversations',
}

/**
 * The trail names people, messages and tokens by number, and its hashes cover that: with other numbers it is another
 * chain. What it said before is proven first, entry by entry.
 * @param cut where the beginning was removed: the chain goes on from there in both
 */
export function importedTrail(
  cut: { sequence: string; hash: Buffer } | undefined,
  numbers: NewNumbers,
): ImportedTrail {
  let sequence = BigInt(cut?.sequence ?? 0)
  let written = cut?.hash ?? GENESIS
  let chained = written
  return {
    async continue(db, lines) {
      // as the database reads it: a hash covers the text of its JSON
      const entries = await readChained(
        db,
        sql`json_populate_recordset(null::audit_entries, ${`[${lines.join(',')}]`}::json) order by sequence`,
      )
      return lines.map((line, index) => {
        const next = String(sequence + 1n)
        const row = JSON.parse(line) as ArchivedRow
        const entry = entries[index]
        const isNext = entry?.sequence === next && String(row.sequence) === next
        if (!isNext || !entry.hash || !hashOf(entry, written).equals(entry.hash)) throw brokenTrail(next)
        const renumbered = renumberedEntry(entry, numbers)
        sequence += 1n
        written = entry.hash
        chained = hashOf(renumbered, chained)
        return lineOf(row, renumbered, chained)
      })
    },
    end(head) {
      if (String(head.sequence) !== String(sequence) || head.hash !== bytea(written))
        throw brokenTrail(String(sequence + 1n))
      return {
        ...head,
        organization_id: Number(numbers.of('organizations', String(head.organization_id))),
        hash: bytea(chained),
      }
    },
  }
}

function renumberedEntry(entry: ChainedEntry, numbers: NewNumbers): ChainedEntry {
  const { organizationId, actorUserId, actorTokenId, targetKind, targetId, detail } = entry
  const column = (numbered: Numbered, number: string | null) =>
    number === null ? null : (numbers.of(numbered, number) ?? null)
  return {
    ...entry,
    organizationId: numbers.of('organizations', organizationId) ?? organizationId,
    actorUserId: column('users', actorUserId),
    actorTokenId: column('tokens', actorTokenId),
    targetId: renumberedText(NUMBERED_TARGETS[targetKind], targetId, numbers),
    detail: renumberedDetail(detail, numbers),
  }
}

/** What the archive does not know by that number keeps it, and is told from what this office has by that number. */
function renumberedText(numbered: Numbered | undefined, text: string, numbers: NewNumbers): string {
  if (!numbered || !/^[1-9]\d{0,15}$/.test(text)) return text
  return numbers.of(numbered, text) ?? `earlier:${text}`
}

function renumberedDetail(detail: string, numbers: NewNumbers): string {
  const said = JSON.parse(detail) as Record<string, unknown>
  const named = Object.keys(NUMBERED_DETAILS).filter((key) => typeof said[key] === 'string')
  if (named.length === 0) return detail
  for (const key of named) said[key] = renumberedText(NUMBERED_DETAILS[key], String(said[key]), numbers)
  return JSON.stringify(said)
}

/** The texts of JSON stand as they are covered. */
function lineOf(row: ArchivedRow, entry: ChainedEntry, hash: Buffer): string {
  const { organizationId, actorUserId, actorTokenId, targetId, detail, personal } = entry
  const number = (text: string | null) => (text === null ? null : Number(text))
  const next: ArchivedRow = {
    ...row,
    organization_id: number(organizationId),
    actor_user_id: number(actorUserId),
    actor_token_id: number(actorTokenId),
    target_id: targetId,
    hash: bytea(hash),
  }
  const texts: Record<string, string> = { detail, personal: personal.value }
  const fields = Object.entries(next).map(
    ([key, value]) => `${JSON.stringify(key)}:${texts[key] ?? JSON.stringify(value)}`,
  )
  return `{${fields.join(',')}}`
}

const bytea = (bytes: Buffer) => `\\x${bytes.toString('hex')}`
