import { type AuditEntry, recordAudits } from '../../../access/audit/audit-trail.ts'
import { lockMembers } from '../../../directory/members/members.ts'
import { ensureUser, findUserByEmail, holdUser } from '../../../directory/users.ts'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { isUniqueViolation } from '../../../platform/database/database-errors.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import { parseUserId, type UserId } from '../../../platform/ids.ts'
import type { DirectoryCaller, DirectoryNeeds, Preconditions } from '../connections/directory-caller.ts'
import type { Complex } from '../protocol/attributes.ts'
import { notFound, ScimFault } from '../protocol/faults.ts'
import { followAccount, newNames, requireOwnDomain } from './accounts.ts'
import { listGroupsOf } from './group-store.ts'
import { activate, deactivate } from './membership.ts'
import { userResource, versionOf } from './resources.ts'
import {
  type DirectoryPerson,
  type DirectoryView,
  deleteView,
  findPerson,
  listPeople,
  putView,
} from './user-store.ts'
import { readWanted, type WantedUser } from './wanted-user.ts'

/** @throws ScimFault 404: also for people of other organizations, and for what is no id */
export async function readUser(needs: DirectoryNeeds, caller: DirectoryCaller, id: string): Promise<Complex> {
  return (await present(needs.db, needs, caller, id)).resource
}

async function present(
  db: Db,
  { scimUrl }: DirectoryNeeds,
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
 * Makes somebody a member: of the account of their address, which is made where there is none. Nobody has proven it
 * then: they prove it as they sign in.
 * @throws ScimFault 403 where the domain is not this organization's, 409 where they are there already
 */
export async function createUser(
  needs: DirectoryNeeds,
  caller: DirectoryCaller,
  resource: Complex,
): Promise<Complex> {
  const wanted = readWanted(resource, undefined)
  const { organization, author } = caller
  await requireOwnDomain(needs.db, organization, wanted.email)
  await requireNew(needs.db, caller, wanted)
  const id = await accountOf(needs, wanted)
  const now = needs.clock.now()
  const made = await transaction(needs.db, async (tx) => {
    if (!(await lockMembers(tx, organization))) throw notFound('organization')
    if (!(await holdUser(tx, id, wanted.email))) return 'another-address'
    await requireNew(tx, caller, wanted)
    await putView(tx, organization, id, wanted, now)
    const person = { id, membership: null }
    const joined = wanted.active ? await activate(tx, organization, { person, author }, now) : []
    if (joined === 'kept-out') {
      // the attempt stays written down, and nothing else
      await deleteView(tx, organization, id)
      return 'kept-out'
    }
    const created: AuditEntry = { action: 'directory-user.created', target: { kind: 'user', id } }
    await recordAudits(tx, organization, author, now, [created, ...joined])
    return 'made'
  })
  if (made === 'kept-out') throw keptOut()
  // theirs until a moment ago: it is looked for anew
  if (made === 'another-address') return await createUser(needs, caller, resource)
  needs.callers.forget(id)
  return await readUser(needs, caller, id)
}

/** The account of an address: found, or made. */
async function accountOf(needs: DirectoryNeeds, wanted: WantedUser): Promise<UserId> {
  const { email } = wanted
  const known = await findUserByEmail(needs.db, email)
  if (known) return known.id
  const identityId = await needs.identity.createUser({ email })
  await ensureUser(
    needs.db,
    { identityId, email, emailVerified: false, ...newNames(wanted) },
    needs.clock.now(),
  )
  const made = await findUserByEmail(needs.db, email)
  if (!made) throw new Error('an account that has just been made is not there')
  return made.id
}

/** @throws ScimFault 409 where the directory sees somebody of that address or name already */
async function requireNew(
  db: Db,
  { organization }: DirectoryCaller,
  { email, userName }: WantedUser,
): Promise<void> {
  const same = [
    ...(await listPeople(db, organization, { by: 'email', text: email })),
    ...(await listPeople(db, organization, { by: 'userName', text: userName })),
  ]
  if (same.length > 0) throw taken()
}

function taken(): ScimFault {
  return new ScimFault(409, 'Somebody of this userName or address is there already', 'uniqueness')
}

function keptOut(): ScimFault {
  return new ScimFault(
    403,
    'An administrator or the identity provider has taken this person out: invite them anew instead',
  )
}

/**
 * Makes somebody what the directory wants them to be.
 * @param change of the resource as it is, under the lock
 * @throws ScimFault
 */
export async function changeUser(
  needs: DirectoryNeeds,
  caller: DirectoryCaller,
  id: string,
  { ifMatch }: Preconditions,
  change: (resource: Complex) => Complex,
): Promise<Complex> {
  const { organization } = caller
  const changed = await transaction(needs.db, async (tx) => {
    if (!(await lockMembers(tx, organization))) throw notFound('organization')
    const { person, resource } = await present(tx, needs, caller, id)
    requireMatch(ifMatch, resource)
    const wanted = readWanted(change(resource), person)
    return await apply(tx, needs, caller, { before: person, wanted })
  }).catch((error: unknown) => {
    throw isUniqueViolation(error) ? taken() : error
  })
  if (changed.keptOut) throw keptOut()
  needs.callers.forget(changed.id)
  return await readUser(needs, caller, id)
}

async function apply(
  tx: Tx,
  { clock, changesAddresses }: DirectoryNeeds,
  { organization, author }: DirectoryCaller,
  { before, wanted }: { before: DirectoryPerson; wanted: WantedUser },
): Promise<{ id: UserId; keptOut: boolean }> {
  const { id } = before
  const now = clock.now()
  const membership = await followActive(tx, { organization, author }, { before, wanted }, now)
  if (membership === 'kept-out') return { id, keptOut: true }
  const account = await followAccount(tx, { organization, changesAddresses }, { before, wanted }, now)
  const fields = [...changedFields(before, wanted), ...account.filter((one) => one === 'email')]
  if (fields.length + membership.length > 0 || !before.provisioned)
    await putView(tx, organization, id, wanted, now)
  const detail = { fields: fields.join(' '), account: account.join(' ') }
  const updated: AuditEntry = { action: 'directory-user.updated', target: { kind: 'user', id }, detail }
  const entries = [...(fields.length > 0 ? [updated] : []), ...membership]
  if (entries.length > 0) await recordAudits(tx, organization, author, now, entries)
  return { id, keptOut: false }
}

async function followActive(
  tx: Tx,
  { organization, author }: DirectoryCaller,
  { before, wanted }: { before: DirectoryPerson; wanted: WantedUser },
  now: Date,
): Promise<AuditEntry[] | 'kept-out'> {
  const wasActive = before.membership?.status === 'active'
  if (wanted.active === wasActive) return []
  if (!wanted.active) return await deactivate(tx, organization, before, now)
  return await activate(tx, organization, { person: before, author }, now)
}

const VIEW_FIELDS = [
  'userName',
  'externalId',
  'givenName',
  'familyName',
  'displayName',
  'emailType',
  'emailPrimary',
] as const

function changedFields(before: DirectoryView, wanted: DirectoryView): string[] {
  return VIEW_FIELDS.filter((field) => before[field] !== wanted[field])
}

/** Takes somebody out of the organization, and forgets what the directory said of them. The account is theirs, and stays. */
export async function deleteUser(
  needs: DirectoryNeeds,
  caller: DirectoryCaller,
  id: string,
  { ifMatch }: Preconditions,
): Promise<void> {
  const { organization, author } = caller
  const now = needs.clock.now()
  const deleted = await transaction(needs.db, async (tx) => {
    if (!(await lockMembers(tx, organization))) throw notFound('organization')
    const { person, resource } = await present(tx, needs, caller, id)
    requireMatch(ifMatch, resource)
    const ended = await deactivate(tx, organization, person, now)
    await deleteView(tx, organization, person.id)
    const entry: AuditEntry = { action: 'directory-user.deleted', target: { kind: 'user', id: person.id } }
    await recordAudits(tx, organization, author, now, [entry, ...ended])
    return person.id
  })
  needs.callers.forget(deleted)
}

/** @throws ScimFault 412 where the resource is not as whoever asks has seen it */
export function requireMatch(ifMatch: string | undefined, resource: Complex): void {
  if (ifMatch === undefined || matches(ifMatch, versionOf(resource))) return
  throw new ScimFault(412, 'It was changed meanwhile: read it again')
}

/** Whether one of the entity tags of a header is this one; `*` is any. Weak and strong ones are compared alike. */
export function matches(header: string, version: string): boolean {
  const bare = (tag: string) => tag.trim().replace(/^W\//, '')
  return header.split(',').some((tag) => tag.trim() === '*' || bare(tag) === bare(version))
}
