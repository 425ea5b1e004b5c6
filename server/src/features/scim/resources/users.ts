import { type AuditEntry, recordAudits } from '../../../access/audit/audit-trail.ts'
import { lockMembers } from '../../../directory/members/members.ts'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import { parseUserId } from '../../../platform/ids.ts'
import type { DirectoryCaller, DirectoryNeeds, Preconditions } from '../connections/directory-caller.ts'
import type { Complex } from '../protocol/attributes.ts'
import { notFound, ScimFault } from '../protocol/faults.ts'
import type { Wanted } from '../protocol/read-resource.ts'
import { accessFirst } from './access-first.ts'
import { applyWanted, keptOut, takeAccess, taken } from './apply-wanted.ts'
import { listGroupsOf } from './group-store.ts'
import { userResource, versionOf } from './resources.ts'
import { takeOut } from './take-out.ts'
import { adoptPeople, type DirectoryPerson, findPerson, retireView } from './user-store.ts'
import { readWanted } from './wanted-user.ts'

/** @throws ScimFault 404: also for people of other organizations, and for what is no id */
export async function readUser(needs: DirectoryNeeds, caller: DirectoryCaller, id: string): Promise<Complex> {
  return (await presentUser(needs.db, needs, caller, id)).resource
}

/** A user as they stand, and as the directory reads them. @throws ScimFault 404 */
export async function presentUser(
  db: Db,
  { scimUrl }: Pick<DirectoryNeeds, 'scimUrl'>,
  { organization }: DirectoryCaller,
  id: string,
): Promise<{ person: DirectoryPerson; resource: Complex }> {
  const userId = parseUserId(id)
  const person = userId && (await findPerson(db, organization, userId))
  if (!person) throw notFound('user')
  const groups = await listGroupsOf(db, organization, [person.id])
  return { person, resource: userResource(scimUrl, person, groups.get(person.id)) }
}

/**
 * Makes a user what the directory wants them to be. What takes access away is done first, even where the rest is refused.
 * @param change of the resource as it is, under the lock
 * @throws ScimFault, DoneBeside
 */
export async function changeUser(
  needs: DirectoryNeeds,
  caller: DirectoryCaller,
  id: string,
  { ifMatch }: Preconditions,
  change: (resource: Complex) => Wanted,
): Promise<Complex> {
  const { organization, author } = caller
  const standing = async (tx: Tx, match: string | undefined) => {
    const { person, resource } = await lockedUser(tx, needs, caller, { id, ifMatch: match })
    return { person, wanted: change(resource) }
  }
  const userId = parseUserId(id)
  try {
    const changed = await accessFirst<Complex | 'kept-out'>(needs.db, {
      ifMatch,
      taken,
      async first(tx, match) {
        const { person, wanted } = await standing(tx, match)
        const now = needs.clock.now()
        const access = { person, wanted }
        const { done, entries } = await takeAccess(tx, caller, access, now)
        if (entries.length === 0) return { whole: await apply(tx, needs, caller, { person, wanted }) }
        await recordAudits(tx, organization, author, now, entries)
        const { resource } = await presentUser(tx, needs, caller, id)
        return { taken: done, version: versionOf(resource) }
      },
      rest: async (tx, match) => apply(tx, needs, caller, await standing(tx, match)),
    })
    if (changed === 'kept-out') throw keptOut()
    return changed
  } finally {
    if (userId) needs.callers.forget(userId)
  }
}

/** A user as they stand, with the members locked. @throws ScimFault 404, 412 */
async function lockedUser(
  tx: Tx,
  needs: DirectoryNeeds,
  caller: DirectoryCaller,
  { id, ifMatch }: Preconditions & { id: string },
): Promise<{ person: DirectoryPerson; resource: Complex }> {
  if (!(await lockMembers(tx, caller.organization))) throw notFound('organization')
  const found = await presentUser(tx, needs, caller, id)
  requireMatch(ifMatch, found.resource)
  return found
}

/** @returns them as they are then; `kept-out`: see `activate` */
async function apply(
  tx: Tx,
  needs: DirectoryNeeds,
  caller: DirectoryCaller,
  { person, wanted }: { person: DirectoryPerson; wanted: Wanted },
): Promise<Complex | 'kept-out'> {
  if (wanted.fault) throw wanted.fault
  const now = needs.clock.now()
  const change = { before: person, wanted: readWanted(wanted, person) }
  const entries = await applyWanted(tx, needs, caller, change, now)
  if (entries === 'kept-out') return entries
  if (entries.length > 0) await recordAudits(tx, caller.organization, caller.author, now, entries)
  return (await presentUser(tx, needs, caller, person.id)).resource
}

/**
 * Takes a user out of the organization and out of sight of the directory. Their account stays, and what the directory said
 * of them: it decides who comes back under their name.
 */
export async function deleteUser(
  needs: DirectoryNeeds,
  caller: DirectoryCaller,
  id: string,
  { ifMatch }: Preconditions,
): Promise<void> {
  const { organization, author } = caller
  const now = needs.clock.now()
  const deleted = await transaction(needs.db, async (tx) => {
    const { person } = await lockedUser(tx, needs, caller, { id, ifMatch })
    // a member of whom the directory has said nothing is remembered too
    await adoptPeople(tx, organization, [person.id], now)
    const ended = await takeOut(tx, organization, person, now)
    await retireView(tx, organization, person.id, now)
    const entry: AuditEntry = { action: 'directory-user.deleted', target: { kind: 'user', id: person.id } }
    await recordAudits(tx, organization, author, now, [entry, ...ended])
    return person.id
  })
  needs.callers.forget(deleted)
}

/** @throws ScimFault 412 where the resource is not as the caller has seen it */
export function requireMatch(ifMatch: string | undefined, resource: Complex): void {
  if (ifMatch === undefined || matches(ifMatch, versionOf(resource))) return
  throw new ScimFault(412, 'It was changed meanwhile: read it again', undefined, 'changed-meanwhile')
}

/** Whether one of the entity tags of a header is this one; `*` is any. Weak and strong ones are compared alike. */
export function matches(header: string, version: string): boolean {
  const bare = (tag: string) => tag.trim().replace(/^W\//, '')
  return header.split(',').some((tag) => tag.trim() === '*' || bare(tag) === bare(version))
}
