import { type AuditEntry, type AuditTarget, recordAudits } from '../../../access/audit/audit-trail.ts'
import { lockMembers } from '../../../directory/members/members.ts'
import type { Db, Tx } from '../../../platform/database/database.ts'
import { isUniqueViolation } from '../../../platform/database/database-errors.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import { parseInternalId, parseUserId, type UserId } from '../../../platform/ids.ts'
import type { DirectoryCaller, DirectoryNeeds, Preconditions } from '../connections/directory-caller.ts'
import { type Complex, isComplex } from '../protocol/attributes.ts'
import { invalid, notFound, ScimFault } from '../protocol/faults.ts'
import type { Wanted } from '../protocol/read-resource.ts'
import { accessFirst } from './access-first.ts'
import {
  addGroupMembers,
  deleteGroup as deleteGroupRow,
  findGroup,
  type GroupRecord,
  insertGroup,
  listGroupMembers,
  removeGroupMembers,
  updateGroup,
} from './group-store.ts'
import { followGroups } from './membership.ts'
import { groupResource, versionOf } from './resources.ts'
import { adoptPeople, knownPeople } from './user-store.ts'
import { requireMatch } from './users.ts'

/** @throws ScimFault 404: also for groups of other organizations */
export async function readGroup(
  needs: DirectoryNeeds,
  caller: DirectoryCaller,
  id: string,
): Promise<Complex> {
  return (await present(needs.db, needs, caller, id)).resource
}

async function present(
  db: Db,
  { scimUrl }: DirectoryNeeds,
  { organization }: DirectoryCaller,
  id: string,
): Promise<{ group: GroupRecord; members: UserId[]; resource: Complex }> {
  const groupId = parseInternalId(id)
  const group = groupId && (await findGroup(db, organization, groupId))
  if (!group) throw notFound('group')
  const members = (await listGroupMembers(db, organization, [group.id])).get(group.id) ?? []
  return {
    group,
    members,
    resource: groupResource(scimUrl, group, members),
  }
}

/** Makes a group. What role its people have is for an admin to say. @throws ScimFault 409 where the name is taken */
export async function createGroup(
  needs: DirectoryNeeds,
  caller: DirectoryCaller,
  resource: Complex,
): Promise<Complex> {
  const { organization, author } = caller
  const now = needs.clock.now()
  const wanted = readWanted(resource)
  return await locked(needs, caller, async (tx) => {
    await requirePeople(tx, caller, wanted.members)
    const made = await insertGroup(tx, organization, wanted, now)
    await adoptPeople(tx, organization, wanted.members, now)
    await addGroupMembers(tx, organization, made, wanted.members)
    const detail = { displayName: wanted.displayName, members: wanted.members.length }
    const created: AuditEntry = { action: 'directory-group.created', target: groupTarget(made), detail }
    await recordAudits(tx, organization, author, now, [created])
    return (await present(tx, needs, caller, made)).resource
  })
}

/**
 * Makes a group what the directory wants it to be; the role that follows applies to its members at once. Members who
 * lose rank leave the group first, even where the rest is refused.
 * @param change of the resource as it is, under the lock
 * @throws ScimFault, DoneBeside
 */
export async function changeGroup(
  needs: DirectoryNeeds,
  caller: DirectoryCaller,
  id: string,
  { ifMatch }: Preconditions,
  change: (resource: Complex) => Wanted,
): Promise<Complex> {
  const touched = new Set<UserId>()
  const standing = async (tx: Tx, match: string | undefined) => {
    if (!(await lockMembers(tx, caller.organization))) throw notFound('organization')
    const found = await present(tx, needs, caller, id)
    requireMatch(match, found.resource)
    return { ...found, wanted: change(found.resource) }
  }
  const whole = async (tx: Tx, found: Awaited<ReturnType<typeof standing>>) => {
    for (const user of await apply(tx, needs, caller, found)) touched.add(user)
    return (await present(tx, needs, caller, id)).resource
  }
  try {
    return await accessFirst<Complex>(needs.db, {
      ifMatch,
      taken,
      mayLeaveAnother: true,
      async first(tx, match) {
        const found = await standing(tx, match)
        const left = await letGo(tx, needs, caller, found)
        if (left.length === 0) return { whole: await whole(tx, found) }
        for (const user of left) touched.add(user)
        const { resource } = await present(tx, needs, caller, id)
        return { taken: 'members-removed', version: versionOf(resource) }
      },
      rest: async (tx, match) => whole(tx, await standing(tx, match)),
    })
  } finally {
    for (const user of touched) needs.callers.forget(user)
  }
}

interface Standing {
  group: GroupRecord
  members: UserId[]
  wanted: Wanted
}

/** Takes leavers out of a group, where roles fall by it. @returns who they are; empty where no role falls */
async function letGo(
  tx: Tx,
  { clock }: DirectoryNeeds,
  { organization, author }: DirectoryCaller,
  { group, members, wanted }: Standing,
): Promise<UserId[]> {
  const left = group.role === null ? [] : leavers(members, wanted)
  if (left.length === 0) return []
  const now = clock.now()
  await removeGroupMembers(tx, organization, group.id, left)
  const roles = await followGroups(tx, organization, left, now)
  if (roles.length === 0) return []
  await updateGroup(tx, organization, group.id, group, now)
  const detail = { fields: '', added: 0, removed: left.length }
  const updated: AuditEntry = { action: 'directory-group.updated', target: groupTarget(group.id), detail }
  await recordAudits(tx, organization, author, now, [updated, ...roles])
  return left
}

/** Members who are no longer named: none where the change does not say who is in the group, or not by ids. */
function leavers(members: readonly UserId[], { resource, unsaid }: Wanted): UserId[] {
  if (unsaid.has('members')) return []
  const listed = (Array.isArray(resource.members) ? resource.members : []).filter(isComplex)
  if (!listed.every(({ value }) => typeof value === 'string')) return []
  const named = new Set(listed.filter((member) => !isGroup(member)).map(({ value }) => value))
  return members.filter((id) => !named.has(id))
}

/** @returns whom it concerns */
async function apply(
  tx: Tx,
  { clock }: DirectoryNeeds,
  caller: DirectoryCaller,
  { group, members, wanted: { resource, fault } }: Standing,
): Promise<UserId[]> {
  if (fault) throw fault
  const { organization, author } = caller
  const now = clock.now()
  const wanted = readWanted(resource)
  const { added, removed } = difference(members, wanted.members)
  const fields = (['displayName', 'externalId'] as const).filter((field) => group[field] !== wanted[field])
  if (fields.length + added.length + removed.length === 0) return []
  await requirePeople(tx, caller, added)
  await updateGroup(tx, organization, group.id, wanted, now)
  await adoptPeople(tx, organization, added, now)
  await addGroupMembers(tx, organization, group.id, added)
  await removeGroupMembers(tx, organization, group.id, removed)
  const people = [...added, ...removed]
  const roles = group.role === null ? [] : await followGroups(tx, organization, people, now)
  const detail = { fields: fields.join(' '), added: added.length, removed: removed.length }
  const updated: AuditEntry = { action: 'directory-group.updated', target: groupTarget(group.id), detail }
  await recordAudits(tx, organization, author, now, [updated, ...roles])
  return people
}

/** Its people have the role again that they have without it. */
export async function deleteGroup(
  needs: DirectoryNeeds,
  caller: DirectoryCaller,
  id: string,
  { ifMatch }: Preconditions,
): Promise<void> {
  const { organization, author } = caller
  const now = needs.clock.now()
  const touched = await locked(needs, caller, async (tx) => {
    const { group, members, resource } = await present(tx, needs, caller, id)
    requireMatch(ifMatch, resource)
    await deleteGroupRow(tx, organization, group.id)
    const roles = group.role === null ? [] : await followGroups(tx, organization, members, now)
    const detail = { displayName: group.displayName }
    const deleted: AuditEntry = { action: 'directory-group.deleted', target: groupTarget(group.id), detail }
    await recordAudits(tx, organization, author, now, [deleted, ...roles])
    return members
  })
  for (const user of touched) needs.callers.forget(user)
}

/** Runs a change with the members of the organization locked. */
async function locked<Result>(
  needs: DirectoryNeeds,
  { organization }: DirectoryCaller,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  try {
    return await transaction(needs.db, async (tx) => {
      if (!(await lockMembers(tx, organization))) throw notFound('organization')
      return await work(tx)
    })
  } catch (error) {
    throw isUniqueViolation(error) ? taken() : error
  }
}

function taken(): ScimFault {
  return new ScimFault(409, 'A group of this name is there already', 'uniqueness')
}

interface WantedGroup {
  displayName: string
  externalId: string | null
  members: UserId[]
}

/** @throws ScimFault invalidValue */
function readWanted({ displayName, externalId, members }: Complex): WantedGroup {
  const name = typeof displayName === 'string' ? displayName.trim() : ''
  if (name === '') throw invalid('invalidValue', 'displayName is missing')
  const listed = Array.isArray(members) ? members.filter(isComplex) : []
  return {
    displayName: name,
    externalId: typeof externalId === 'string' && externalId !== '' ? externalId : null,
    members: [...new Set(listed.map(memberId))],
  }
}

function memberId(member: Complex): UserId {
  const { value } = member
  if (isGroup(member))
    throw invalid('invalidValue', 'The members of a group are users: groups in groups are not served')
  const id = typeof value === 'string' ? parseUserId(value) : undefined
  if (id === undefined) throw noSuchMember()
  return id
}

/** Groups are counted as users are: the id of a group is that of some user too. */
function isGroup({ type, $ref }: Complex): boolean {
  const isNoUser = typeof type === 'string' && type.trim().toLowerCase() !== 'user'
  return isNoUser || (typeof $ref === 'string' && /\/groups\/[^/]*$/i.test($ref))
}

/** @throws ScimFault where one of them is none of this organization's */
async function requirePeople(
  tx: Tx,
  { organization }: DirectoryCaller,
  ids: readonly UserId[],
): Promise<void> {
  if (ids.length === 0) return
  const known = await knownPeople(tx, organization, ids)
  if (!ids.every((id) => known.has(id))) throw noSuchMember()
}

function noSuchMember(): ScimFault {
  return invalid('invalidValue', 'One of the members is not a user of this organization')
}

function difference(before: readonly UserId[], after: readonly UserId[]) {
  const [was, is] = [new Set(before), new Set(after)]
  return { added: after.filter((id) => !was.has(id)), removed: before.filter((id) => !is.has(id)) }
}

function groupTarget(id: string): AuditTarget {
  return { kind: 'directory-group', id }
}
