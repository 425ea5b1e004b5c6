import { lockMembers } from '../../../directory/members/members.ts'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { type OrganizationId, parseUserId, type UserId } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { type DirectoryPerson, findPerson } from './user-store.ts'

/** The directory has said something of them, and they are no member: it has them as inactive. */
export function isHeldInactive({ provisioned, membership }: DirectoryPerson): boolean {
  return provisioned && membership === null
}

/** Whether the directory of an organization holds an account inactive, deleted ones too. */
export async function holdsInactive(db: Db, organization: OrganizationId, user: UserId): Promise<boolean> {
  const person = await findPerson(db, organization, user, { deleted: true })
  return person !== undefined && isHeldInactive(person)
}

/** A user whom the directory holds inactive, with the members locked. @throws Refusal directory-user-not-found */
export async function lockHeld(tx: Tx, organization: OrganizationId, id: string): Promise<DirectoryPerson> {
  await lockMembers(tx, organization)
  const userId = parseUserId(id)
  const person = userId && (await findPerson(tx, organization, userId, { deleted: true }))
  if (!person || !isHeldInactive(person)) throw Refusal.of('directory-user-not-found')
  return person
}
