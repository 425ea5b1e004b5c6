import type { AuditAuthor, AuditEntry } from '../../../access/audit/audit-trail.ts'
import { normalizeEmail } from '../../../directory/email-address.ts'
import { keepOut, readDeparture } from '../../../directory/members/departures.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { OrganizationId } from '../../../platform/ids.ts'
import { isHeldInactive } from './held.ts'
import { activate, DEFAULT_ROLE, deactivate } from './membership.ts'
import { adoptPeople, type DirectoryPerson, fallbackName, listPeople, renameView } from './user-store.ts'

/**
 * Ends the membership of a user whom the directory makes inactive or deletes. Where there is none, because the directory
 * has made them inactive from the start or they have left, it ends the way back by single sign-on. A member whom the
 * directory has never spoken of goes with the user to whom it has given their address as a name or an address: to the directory it is one
 * person. With the members locked.
 * @returns what belongs into the audit trail
 * @throws ScimFault 409 where no admin would be left
 */
export async function takeOut(
  tx: Tx,
  organization: OrganizationId,
  person: DirectoryPerson,
  now: Date,
): Promise<AuditEntry[]> {
  const entries = await deactivate(tx, organization, person, now)
  if (person.membership === null) {
    const cause = { removedBy: 'directory', role: DEFAULT_ROLE } as const
    if (await keepOut(tx, organization, person.id, cause, now)) entries.push(updated(person))
  }
  for (const namesake of await listNamesakes(tx, organization, person)) {
    if (!isUnspoken(namesake) || namesake.membership?.status !== 'active') continue
    await adoptPeople(tx, organization, [namesake.id], now)
    await renameView(tx, organization, namesake.id, fallbackName(namesake))
    entries.push(...(await deactivate(tx, organization, namesake, now)))
  }
  return entries
}

/**
 * Gives back what `takeOut` has taken from others than the user. With the members locked.
 * @returns what belongs into the audit trail
 */
export async function restoreNamesakes(
  tx: Tx,
  organization: OrganizationId,
  { person, author }: { person: DirectoryPerson; author: AuditAuthor },
  now: Date,
): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = []
  for (const namesake of await listNamesakes(tx, organization, person)) {
    if (!isHeldInactive(namesake) || !isUnspoken(namesake)) continue
    const departure = await readDeparture(tx, organization, namesake.id)
    if (departure?.kind !== 'removed' || departure.removedBy !== 'directory') continue
    const joined = await activate(tx, organization, { person: namesake, author }, now)
    if (joined !== 'kept-out') entries.push(...joined)
  }
  return entries
}

/** Other people of the organization under the name or the address that the directory has given to a user. */
async function listNamesakes(
  tx: Tx,
  organization: OrganizationId,
  { id, userName, keptEmail }: DirectoryPerson,
): Promise<DirectoryPerson[]> {
  const addresses = new Set([normalizeEmail(userName), keptEmail])
  const found: DirectoryPerson[] = []
  for (const text of addresses)
    if (text) found.push(...(await listPeople(tx, organization, { by: 'account address', text })))
  return found.filter((person) => person.id !== id)
}

/** What is known of them, if anything, was not said by the directory: the name tells. */
function isUnspoken(person: DirectoryPerson): boolean {
  return !person.provisioned || person.userName === fallbackName(person)
}

function updated({ id }: DirectoryPerson): AuditEntry {
  return {
    action: 'directory-user.updated',
    target: { kind: 'user', id },
    detail: { fields: 'active', account: '' },
  }
}
