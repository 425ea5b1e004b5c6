import { spellingsOf } from '../../../directory/email-address.ts'
import { lockMembers } from '../../../directory/members/members.ts'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { type OrganizationId, parseUserId, type UserId } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { type DirectoryPerson, findPerson, listPeople } from './user-store.ts'

/** The directory has said something of them, and they are no member: it has them as inactive. */
export function isHeldInactive({ provisioned, membership }: DirectoryPerson): boolean {
  return provisioned && membership === null
}

/** Whether the directory of an organization holds an account inactive, deleted ones too. */
async function holdsInactive(db: Db, organization: OrganizationId, user: UserId): Promise<boolean> {
  const person = await findPerson(db, organization, user, { deleted: true })
  return person !== undefined && isHeldInactive(person)
}

/**
 * Whether the directory of an organization knows an address as the name or the address of another user, whom it holds
 * inactive, deleted ones too, and of no member.
 * @param user who asks to come in under it, where they have an account
 */
async function holdsNameInactive(
  db: Db,
  organization: OrganizationId,
  { email, user }: { email: string; user: UserId | undefined },
): Promise<boolean> {
  const named: DirectoryPerson[] = []
  for (const text of spellingsOf(email))
    for (const by of ['userName', 'email'] as const)
      named.push(...(await listPeople(db, organization, { by, text }, { deleted: true })))
  if (named.some(({ membership }) => membership?.status === 'active')) return false
  return named.some((person) => person.id !== user && isHeldInactive(person))
}

/** What single sign-on asks of a directory. */
export const directoryHold = { holdsInactive, holdsNameInactive }

/** A user whom the directory holds inactive, with the members locked. @throws Refusal directory-user-not-found */
export async function lockHeld(tx: Tx, organization: OrganizationId, id: string): Promise<DirectoryPerson> {
  await lockMembers(tx, organization)
  const userId = parseUserId(id)
  const person = userId && (await findPerson(tx, organization, userId, { deleted: true }))
  if (!person || !isHeldInactive(person)) throw Refusal.of('directory-user-not-found')
  return person
}
