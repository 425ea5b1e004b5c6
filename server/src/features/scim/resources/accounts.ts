import { revokeSessionsOf } from '../../../access/sessions/session-endings.ts'
import { nameFromEmail, requireName } from '../../../directory/display-name.ts'
import { domainOf, findOwnerOfDomain } from '../../../directory/domains/domains.ts'
import { changeAddress, changeNames, findUserByEmail, lockUser } from '../../../directory/users.ts'
import type { Db, Tx } from '../../../platform/database/database.ts'
import type { OrganizationId } from '../../../platform/ids.ts'
import { forgetWaysIn } from '../../sign-in/reads.ts'
import { ScimFault } from '../protocol/faults.ts'
import { type AccountStanding, mayChangeEmail, mayChangeNames } from '../rules.ts'
import { type DirectoryPerson, type DirectoryView, isElsewhere } from './user-store.ts'
import type { WantedUser } from './wanted-user.ts'

const NAME_LENGTHS = { min: 1, max: 50 }
const DISPLAY_NAME_LENGTHS = { min: 2, max: 100 }

/** Whose the domain of an address is, for an organization. */
async function domainStanding(
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
  )
}

/**
 * Lets an account follow what a directory says of it, as far as it may: names of people who are this organization's
 * alone, and an address only between its own domains. Names of others stay as they are.
 * @returns what of the account was changed
 * @throws ScimFault 403, 409 where the address may not be changed, or was meanwhile
 */
export async function followAccount(
  tx: Tx,
  { organization, changesAddresses }: { organization: OrganizationId; changesAddresses: boolean },
  { before, wanted }: { before: DirectoryPerson; wanted: WantedUser },
  now: Date,
): Promise<('email' | 'name')[]> {
  const names = changedNames(before, wanted)
  const emailChanges = wanted.email !== before.email
  if (!emailChanges && Object.keys(names).length === 0) return []
  await lockUser(tx, before.id)
  const standing = {
    domain: await domainStanding(tx, organization, before.email),
    elsewhere: await isElsewhere(tx, organization, before.id),
    member: wanted.active,
  }
  const changed: ('email' | 'name')[] = []
  if (emailChanges) {
    const next = await domainStanding(tx, organization, wanted.email)
    if (!changesAddresses || !mayChangeEmail(standing, next)) throw addressStays()
    if (await findUserByEmail(tx, wanted.email))
      throw new ScimFault(409, 'Another account has this address', 'uniqueness')
    const addresses = { from: before.email, to: wanted.email, isProven: false }
    if (!(await changeAddress(tx, before.id, addresses, now))) throw changedMeanwhile()
    // they rest on the former address
    await forgetWaysIn(tx, before, [before.email, wanted.email])
    await revokeSessionsOf(tx, before.id, now)
    changed.push('email')
  }
  if (Object.keys(names).length > 0 && mayChangeNames(standing)) {
    await changeNames(tx, before.id, names, now)
    changed.push('name')
  }
  return changed
}

/** Their own change of the address has come first: which domain it is of now was not looked at. */
function changedMeanwhile(): ScimFault {
  return new ScimFault(409, 'The address of this account was changed meanwhile: read it again')
}

function addressStays(): ScimFault {
  return new ScimFault(
    403,
    'The address of this account cannot be changed by this directory: the person is no member or in another organization too, or one of the domains is not proven by DNS',
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

/** Only what the directory itself says again: what somebody has chosen since is not taken back by the next change of something else. */
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
