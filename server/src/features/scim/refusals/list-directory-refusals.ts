import type { Reply } from '@atrium/contract'
import { type AuditRecord, listAuditEntries } from '../../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../../access/caller.ts'
import type { Db } from '../../../platform/database/database.ts'
import { isHeldInactive } from '../resources/held.ts'
import { type DirectoryPerson, listPeople } from '../resources/user-store.ts'

interface Needs {
  db: Db
}

const SHOWN_MAX = 50

/** What was lately refused to the directories of the active organization, and where an administrator has to decide. */
export async function listDirectoryRefusals(
  needs: Needs,
  caller: CallerOf<'listDirectoryRefusals'>,
): Promise<Reply<'listDirectoryRefusals'>> {
  const organization = caller.organization.id
  const range = { oldestFirst: false, limit: SHOWN_MAX }
  const entries = await listAuditEntries(needs.db, organization, range, { action: 'directory.refused' })
  const ids = entries.filter(({ targetKind }) => targetKind === 'user').map(({ targetId }) => targetId)
  const people = await listPeople(needs.db, organization, { by: 'ids', ids }, { deleted: true })
  const known = new Map<string, DirectoryPerson>(people.map((person) => [person.id, person]))
  const refusals = entries.map((entry) => shown(entry, known.get(entry.targetId)))
  return { status: 200, body: { refusals } }
}

function shown({ at, detail, targetKind }: AuditRecord, found: DirectoryPerson | undefined) {
  const person = targetKind === 'user' ? found : undefined
  const text = (value: string | number | null | undefined) => (typeof value === 'string' ? value : '')
  const isTaken = detail.request === 'POST /Users' && detail.reason === 'uniqueness'
  return {
    at: at.toISOString(),
    request: text(detail.request),
    reason: text(detail.reason),
    done: text(detail.done),
    userId: person?.id ?? '',
    name: text(detail.email) || (person?.displayName ?? person?.userName ?? ''),
    waits: isTaken && person !== undefined && isHeldInactive(person),
  }
}
