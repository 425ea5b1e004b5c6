import { type AuditEntry, recordAudits } from '../../../access/audit/audit-trail.ts'
import { keepOut } from '../../../directory/members/departures.ts'
import { lockMembers } from '../../../directory/members/members.ts'
import { ensureUser, findUserByEmail, holdUser } from '../../../directory/users.ts'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { isUniqueViolation } from '../../../platform/database/database-errors.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import type { UserId } from '../../../platform/ids.ts'
import type { DirectoryCaller, DirectoryNeeds } from '../connections/directory-caller.ts'
import type { Complex } from '../protocol/attributes.ts'
import { notFound } from '../protocol/faults.ts'
import { newNames, requireOwnDomain } from './accounts.ts'
import { applyWanted, keptOut, taken } from './apply-wanted.ts'
import { isHeldInactive } from './held.ts'
import { activate, DEFAULT_ROLE } from './membership.ts'
import { type DirectoryPerson, deleteView, listPeople, putView } from './user-store.ts'
import { presentUser } from './users.ts'
import { readWanted, type WantedUser } from './wanted-user.ts'

/**
 * Makes a user a member: of the account of their address, which is made where there is none (unproven then: they prove
 * it as they sign in), or again, where the directory holds them inactive and vouches that they are the same.
 * @throws ScimFault 403 where the domain is not this organization's, 409 where they are there already
 */
export async function createUser(
  needs: DirectoryNeeds,
  caller: DirectoryCaller,
  resource: Complex,
): Promise<Complex> {
  const wanted = readWanted(saidWhole(resource), undefined)
  const held = await findHeld(needs.db, caller, wanted)
  if (!held) await requireOwnDomain(needs.db, caller.organization, wanted.email)
  const id = held?.id ?? (await accountOf(needs, wanted))
  const made = await transaction(needs.db, async (tx) => {
    if (!(await lockMembers(tx, caller.organization))) throw notFound('organization')
    const before = await findHeld(tx, caller, wanted)
    if (before?.id !== held?.id) return 'somebody else'
    const outcome = before
      ? await restore(tx, needs, caller, {
          before,
          wanted: { ...readWanted(saidWhole(resource), before), active: wanted.active },
        })
      : await make(tx, needs, caller, { id, wanted })
    if (outcome !== 'made') return outcome
    return (await presentUser(tx, needs, caller, id)).resource
  }).catch((error: unknown) => {
    throw isUniqueViolation(error) ? taken() : error
  })
  if (made === 'kept-out') throw keptOut()
  // the address or the place in the directory was theirs until a moment ago: it is looked for anew
  if (made === 'somebody else') return await createUser(needs, caller, resource)
  needs.callers.forget(id)
  return made
}

/** All that stands in it was said. */
function saidWhole(resource: Complex): Parameters<typeof readWanted>[0] {
  return { resource, unsaid: new Set() }
}

type Outcome = 'made' | 'kept-out' | 'somebody else'

async function make(
  tx: Tx,
  { clock }: DirectoryNeeds,
  { organization, author }: DirectoryCaller,
  { id, wanted }: { id: UserId; wanted: WantedUser },
): Promise<Outcome> {
  const now = clock.now()
  if (!(await holdUser(tx, id, wanted.email))) return 'somebody else'
  await putView(tx, organization, id, { ...wanted, keptEmail: null }, now)
  const person = { id, membership: null }
  const joined = wanted.active ? await activate(tx, organization, { person, author }, now) : []
  if (!wanted.active) await keepOut(tx, organization, id, { removedBy: 'directory', role: DEFAULT_ROLE }, now)
  if (joined === 'kept-out') {
    // the attempt stays written down, and nothing else
    await deleteView(tx, organization, id)
    return 'kept-out'
  }
  const created: AuditEntry = { action: 'directory-user.created', target: { kind: 'user', id } }
  await recordAudits(tx, organization, author, now, [created, ...joined])
  return 'made'
}

/** They are what they were, with what the directory says of them now. */
async function restore(
  tx: Tx,
  needs: DirectoryNeeds,
  caller: DirectoryCaller,
  change: { before: DirectoryPerson; wanted: WantedUser },
): Promise<Outcome> {
  const now = needs.clock.now()
  const entries = await applyWanted(tx, needs, caller, change, now)
  if (entries === 'kept-out') return 'kept-out'
  if (entries.length > 0) await recordAudits(tx, caller.organization, caller.author, now, entries)
  return 'made'
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

/** Who was deleted comes back as who was made inactive does. */
const DELETED = { deleted: true }

/**
 * The user whom the directory means where it makes one that it holds inactive: their external id says so, or their
 * userName where they never had an external id. A userName alone may have been given to a new person.
 * @returns undefined where the directory sees no user of that name, address or id
 * @throws ScimFault 409 where it sees another user, or does not say that they are the same
 */
async function findHeld(
  db: Db,
  { organization }: DirectoryCaller,
  { email, userName, externalId }: WantedUser,
): Promise<DirectoryPerson | undefined> {
  const named = await listPeople(db, organization, { by: 'userName', text: userName }, DELETED)
  const vouched =
    externalId === null
      ? []
      : (await listPeople(db, organization, { by: 'externalId', text: externalId }, DELETED)).filter(
          isHeldInactive,
        )
  const addressed = await listPeople(db, organization, { by: 'account address', text: email }, DELETED)
  const meant = new Map([...named, ...vouched, ...addressed].map((person) => [person.id, person]))
  const [one, ...others] = meant.values()
  if (!one) return undefined
  const isSame =
    vouched.length > 0 ||
    (externalId === null && named.length > 0 && !one.hadExternalId && isHeldInactive(one))
  if (isSame && others.length === 0) return one
  throw taken(named.find(isHeldInactive) ?? addressed.find(isHeldInactive) ?? one)
}
