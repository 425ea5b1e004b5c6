import { revokeSessionsOf } from '../../../access/sessions/session-endings.ts'
import { nameFromEmail, requireName } from '../../../directory/display-name.ts'
import { domainOf, findOwnerOfDomain } from '../../../directory/domains/domains.ts'
import { changeAddress, changeNames, findUserByEmail, lockUser } from '../../../directory/users.ts'
import type { Db, Tx } from '../../../platform/database/database.ts'
import type { OrganizationId } from '../../../platform/ids.ts'
import { forgetWaysIn } from '../../sign-in/reads.ts'
import { ScimFault } from '../protocol/faults.ts'
import { type AccountStanding, mayChangeEmail, mayChangeNames } from '../rules.ts'
import { type DirectoryPerson, type DirectoryView, isElsewhere, shownEmail } from './user-store.ts'
import type { WantedUser } from './wanted-user.ts'

const NAME_LENGTHS = { min: 1, max: 50 }
const DISPLAY_NAME_LENGTHS = { min: 2, max: 100 }

/** How the domain of an address stands to an organization. */
export async function domainStanding(
  db: Db,
  organization: OrganizationId,
  email: string,
): Promise<AccountStanding['domain']> {
  const owner = await findOwnerOfDomain(db, domainOf(email))
  if (owner?.id !== organization) return 'foreign'
  return owner.provenByDns ? 'own-by-dns' : 'own'
}

/** A directory speaks for addresses of domains that its organization has proven, and of no others. @throws ScimFault 403 */
export async function requireOwnDomain(db: Db, organization: OrganizationId, email: string): Promise<void> {
  if ((await domainStanding(db, organization, email)) !== 'foreign') return
  throw new ScimFault(
    403,
    `The domain ${domainOf(email)} is not proven by this organization: its directory cannot make accounts of it`,
    undefined,
    'domain-not-proven',
  )
}

/** What of an account was changed, and the address of the directory's view that the account may not have. */
export interface Followed {
  changed: ('email' | 'name')[]
  keptEmail: string | null
}

/**
 * Lets an account follow what a directory says of it, as far as it may: names of people who are this organization's
 * alone, and an address only between its own domains. Of others names and address stay as they are, and what the
 * directory says is its own view.
 * @throws ScimFault 409 where the address was changed meanwhile
 */
export async function followAccount(
  tx: Tx,
  { organization, changesAddresses }: { organization: OrganizationId; changesAddresses: boolean },
  { before, wanted }: { before: DirectoryPerson; wanted: WantedUser },
  now: Date,
): Promise<Followed> {
  const names = changedNames(before, wanted)
  // only what the directory says anew: an address that was kept is not taken up by the next change of something else
  const isNew = wanted.email !== shownEmail(before)
  const emailChanges = isNew && wanted.email !== before.email
  const keptEmail = isNew ? null : before.keptEmail
  if (!emailChanges && Object.keys(names).length === 0) return { changed: [], keptEmail }
  await lockUser(tx, before.id)
  const standing = {
    domain: await domainStanding(tx, organization, before.email),
    elsewhere: await isElsewhere(tx, organization, before.id),
    member: wanted.active,
  }
  const changed: Followed['changed'] = []
  const mayHave =
    emailChanges &&
    changesAddresses &&
    mayChangeEmail(standing, await domainStanding(tx, organization, wanted.email)) &&
    (await findUserByEmail(tx, wanted.email)) === undefined
  if (mayHave) {
    await moveAccount(tx, before, wanted.email, now)
    changed.push('email')
  }
  if (Object.keys(names).length > 0 && mayChangeNames(standing)) {
    await changeNames(tx, before.id, names, now)
    changed.push('name')
  }
  return { changed, keptEmail: emailChanges && !mayHave ? wanted.email : keptEmail }
}

/**
 * Gives an account another address, and ends what rests on the former one.
 * @throws ScimFault 409
 */
export async function moveAccount(
  tx: Tx,
  person: Pick<DirectoryPerson, 'id' | 'identityId' | 'email'>,
  email: string,
  now: Date,
): Promise<void> {
  if (await findUserByEmail(tx, email))
    throw new ScimFault(409, 'Another account has this address', 'uniqueness')
  const addresses = { from: person.email, to: email, isProven: false }
  if (!(await changeAddress(tx, person.id, addresses, now))) throw changedMeanwhile()
  await forgetWaysIn(tx, person, [person.email, email])
  await revokeSessionsOf(tx, person.id, now)
}

/** Their own change of the address has come first: which domain it is of now was not looked at. */
function changedMeanwhile(): ScimFault {
  return new ScimFault(
    409,
    'The address of this account was changed meanwhile: read it again',
    undefined,
    'changed-meanwhile',
  )
}

/** The names of an account that is made. */
export function newNames({ displayName, givenName, familyName, email }: WantedUser) {
  const [firstName, lastName] = [
    readable(givenName, NAME_LENGTHS) ?? '',
    readable(familyName, NAME_LENGTHS) ?? '',
  ]
  const shown = readable(displayName, DISPLAY_NAME_LENGTHS)
  const full = readable(`${firstName} ${lastName}`.trim(), DISPLAY_NAME_LENGTHS)
  return { displayName: shown ?? full ?? nameFromEmail(email), firstName, lastName }
}

/** Only what the directory itself changes: names that a user has chosen since outlast its other changes. */
function changedNames(before: DirectoryView, wanted: DirectoryView) {
  const changed = <Key extends 'displayName' | 'givenName' | 'familyName'>(
    key: Key,
    lengths: typeof NAME_LENGTHS,
  ) => (before[key] === wanted[key] ? undefined : readable(wanted[key], lengths))
  const names = {
    displayName: changed('displayName', DISPLAY_NAME_LENGTHS),
    firstName: changed('givenName', NAME_LENGTHS),
    lastName: changed('familyName', NAME_LENGTHS),
  }
  return Object.fromEntries(Object.entries(names).filter(([, name]) => name !== undefined)) as {
    [Key in keyof typeof names]?: string
  }
}

/** What cannot be shown as a name is no reason to refuse the rest. */
function readable(name: string | null, lengths: { min: number; max: number }): string | undefined {
  if (name === null) return undefined
  try {
    return requireName(name, 'name', lengths)
  } catch {
    return undefined
  }
}
