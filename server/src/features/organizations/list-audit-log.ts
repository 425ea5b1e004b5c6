import type { AuditEntry, Input, Reply } from '@atrium/contract'
import { type AuditRecord, listAuditEntries } from '../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../access/caller.ts'
import { invalidCursor } from '../../platform/cursor.ts'
import { readCursorPage } from '../../platform/cursor-page.ts'
import type { Db } from '../../platform/database/database.ts'
import { parseMoment } from '../../platform/moment.ts'

interface Needs {
  db: Db
}

/** What was done in the active organization, and by whom, newest first. */
export async function listAuditLog(
  needs: Needs,
  caller: CallerOf<'listAuditLog'>,
  input: Input<'listAuditLog'>,
): Promise<Reply<'listAuditLog'>> {
  const { actorKind, actorId, action, since, until } = input
  const filter = { actorKind, actorId, action, since: momentOf(since), until: momentOf(until) }
  const page = await readCursorPage(
    input,
    (entry: AuditRecord) => ({ at: entry.at, id: entry.sequence }),
    ({ olderThan, newerThan, oldestFirst, limit }) =>
      listAuditEntries(
        needs.db,
        caller.organization.id,
        {
          ...(olderThan ? { olderThan: sequenceOf(olderThan.id, 'after') } : {}),
          ...(newerThan ? { newerThan: sequenceOf(newerThan.id, 'before') } : {}),
          oldestFirst,
          limit,
        },
        filter,
      ),
  )
  return {
    status: 200,
    body: { data: page.rows.map(toEntry), before: page.before, after: page.after },
  }
}

/** Cursors of another list have other ids. */
function sequenceOf(id: string, field: string): string {
  if (/^[0-9]{1,18}$/.test(id)) return id
  throw invalidCursor(field)
}

function momentOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : parseMoment(text)
}

function idOf(id: string | null): { id?: string } {
  return id === null ? {} : { id }
}

function toEntry(record: AuditRecord): AuditEntry {
  return {
    id: record.sequence,
    at: record.at.toISOString(),
    actor: {
      kind: record.actorKind,
      ...idOf(record.actorUserId ?? record.actorTokenId),
      ...(record.actorEmail === null || record.actorKind === 'bot' ? {} : { email: record.actorEmail }),
      address: record.address,
    },
    action: record.action,
    target: { kind: record.targetKind, id: record.targetId },
    requestId: record.requestId,
    detail: record.detail,
  }
}
