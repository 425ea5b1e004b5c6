import type { Input, Reply } from '@atrium/contract'
import { type AuditEntry, recordAudits } from '../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../access/caller.ts'
import type { KnownCallers } from '../../access/sessions/known-callers.ts'
import { lockMembers } from '../../directory/members/members.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { parseInternalId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { ScimFault } from './protocol/faults.ts'
import { findGroup, type GroupRecord, listGroupMembers, setGroupRole } from './resources/group-store.ts'
import { followGroups } from './resources/membership.ts'

interface Needs {
  db: Db
  clock: Clock
  callers: Pick<KnownCallers, 'forget'>
}

/** Says which role the people of a group have at least; they have it at once. */
export async function updateDirectoryGroup(
  needs: Needs,
  caller: CallerOf<'updateDirectoryGroup'>,
  input: Input<'updateDirectoryGroup'>,
): Promise<Reply<'updateDirectoryGroup'>> {
  const organization = caller.organization.id
  const id = parseInternalId(input.id)
  if (id === undefined) throw Refusal.of('directory-group-not-found')
  const now = needs.clock.now()
  const { group, members } = await transaction(needs.db, async (tx) => {
    await lockMembers(tx, organization)
    const found: GroupRecord | undefined = await findGroup(tx, organization, id)
    if (!found) throw Refusal.of('directory-group-not-found')
    const people = (await listGroupMembers(tx, organization, [id])).get(id) ?? []
    if (found.role === input.role) return { group: found, members: people }
    await setGroupRole(tx, organization, id, input.role, now)
    const roles = await followGroups(tx, organization, people, now)
    const entry: AuditEntry = {
      action: 'directory-group.role-changed',
      target: { kind: 'directory-group', id },
      detail: { from: found.role, to: input.role },
    }
    await recordAudits(tx, organization, caller, now, [entry, ...roles])
    return { group: found, members: people }
  }).catch((error: unknown) => {
    throw error instanceof ScimFault ? Refusal.of('last-admin') : error
  })
  for (const user of members) needs.callers.forget(user)
  return {
    status: 200,
    body: { id, displayName: group.displayName, members: members.length, role: input.role },
  }
}
