import type { Db } from '../../../platform/database/database.ts'
import { parseUserId } from '../../../platform/ids.ts'
import type { DirectoryCaller, DirectoryNeeds } from '../connections/directory-caller.ts'
import { type Complex, placeOf, type ResourceKind } from '../protocol/attributes.ts'
import { KINDS } from '../protocol/discovery.ts'
import { invalid, ScimFault } from '../protocol/faults.ts'
import type { Filter } from '../protocol/filter.ts'
import { type ListQuery, listResponse, sorted } from '../protocol/listing.ts'
import { type Test, testOf } from '../protocol/match.ts'
import { isAnswered, project } from '../protocol/projection.ts'
import { GROUPS, USERS } from '../protocol/resource-kinds.ts'
import { listGroupMembers, listGroups, listGroupsOf } from './group-store.ts'
import { groupResource, userResource, withVersion } from './resources.ts'
import { countPeople, type DirectoryPerson, listPeople, type Selection } from './user-store.ts'

/** A page of the people whom a directory sees. What asks for one of them by a key, as directories do, reads no others. */
export async function listUsers(
  needs: DirectoryNeeds,
  caller: DirectoryCaller,
  query: ListQuery,
): Promise<Complex> {
  const { organization } = caller
  if (query.filter || query.sortBy !== undefined)
    return answer(USERS, await filteredUsers(needs, caller, query), query)
  const totalResults = await countPeople(needs.db, organization)
  const page = { limit: query.count, offset: query.startIndex - 1 }
  const people = query.count === 0 ? [] : await listPeople(needs.db, organization, { by: 'everybody' }, page)
  const resources = await userResources(needs.db, needs, caller, people)
  return listResponse(projected(USERS, resources, query), { totalResults, startIndex: query.startIndex })
}

/** A page of the groups of a directory. Without their members where these are not asked for: groups may be large. */
export async function listGroupResources(
  needs: DirectoryNeeds,
  caller: DirectoryCaller,
  query: ListQuery,
): Promise<Complex> {
  return answer(GROUPS, await filteredGroups(needs, caller, query), query)
}

/** People and groups together: both kinds are asked, and what only one of them has is absent in the other. */
export async function searchAll(
  needs: DirectoryNeeds,
  caller: DirectoryCaller,
  query: ListQuery,
): Promise<Complex> {
  const { filter, sortBy } = query
  const found: { kind: ResourceKind; resource: Complex }[] = []
  let fits = 0
  for (const kind of KINDS) {
    if (sortBy !== undefined && placeOf(kind, sortBy) === undefined) continue
    if (!testIn(kind, filter)) continue
    fits += 1
    const list =
      kind === USERS ? await filteredUsers(needs, caller, query) : await filteredGroups(needs, caller, query)
    found.push(...list.map((resource) => ({ kind, resource })))
  }
  if (fits === 0)
    throw invalid('invalidFilter', 'Neither users nor groups have all attributes that are named')
  const kindOf = new Map(found.map(({ kind, resource }) => [resource, kind]))
  const inOrder = sortBy === undefined ? found.map(({ resource }) => resource) : sortedTogether(found, query)
  const page = inOrder.slice(query.startIndex - 1, query.startIndex - 1 + query.count)
  const shown = page.map((resource) =>
    project(kindOf.get(resource) as ResourceKind, withVersion(resource), query),
  )
  return listResponse(shown, { totalResults: inOrder.length, startIndex: query.startIndex })
}

/** By an attribute that both kinds have, or by one of the kind that has it. */
function sortedTogether(
  found: readonly { kind: ResourceKind; resource: Complex }[],
  query: ListQuery,
): Complex[] {
  const kind = found[0]?.kind ?? USERS
  return sorted(
    kind,
    found.map(({ resource }) => resource),
    query,
  )
}

function testIn(kind: ResourceKind, filter: Filter | undefined): Test | undefined {
  try {
    return filter ? testOf(kind, filter) : () => true
  } catch (error) {
    if (error instanceof ScimFault) return undefined
    throw error
  }
}

function answer(kind: ResourceKind, resources: readonly Complex[], query: ListQuery): Complex {
  const { startIndex, count } = query
  const inOrder = sorted(kind, resources, query)
  const page = projected(kind, inOrder.slice(startIndex - 1, startIndex - 1 + count), query)
  return listResponse(page, { totalResults: resources.length, startIndex })
}

function projected(kind: ResourceKind, resources: readonly Complex[], query: ListQuery): Complex[] {
  return resources.map((resource) => project(kind, withVersion(resource), query))
}

async function filteredUsers(
  needs: DirectoryNeeds,
  caller: DirectoryCaller,
  { filter }: ListQuery,
): Promise<Complex[]> {
  const test = filter ? testOf(USERS, filter) : () => true
  const selection = filter ? selectionOf(filter) : ({ by: 'everybody' } as const)
  if (!selection) return []
  const people = await listPeople(needs.db, caller.organization, selection)
  return (await userResources(needs.db, needs, caller, people)).filter(test)
}

async function userResources(
  db: Db,
  { scimUrl }: DirectoryNeeds,
  { organization }: DirectoryCaller,
  people: readonly DirectoryPerson[],
): Promise<Complex[]> {
  const ids = people.map(({ id }) => id)
  const groups = await listGroupsOf(db, organization, ids)
  return people.map((person) => userResource(scimUrl, person, groups.get(person.id)))
}

async function filteredGroups(
  { db, scimUrl }: DirectoryNeeds,
  { organization }: DirectoryCaller,
  query: ListQuery,
): Promise<Complex[]> {
  const { filter } = query
  const test = filter ? testOf(GROUPS, filter) : () => true
  const named = filter ? equalTo(GROUPS, filter, 'displayName') : undefined
  const groups = await listGroups(db, organization, { named })
  const needsMembers = filter !== undefined || isAnswered(GROUPS, query, 'members')
  const ids = needsMembers && !onlyByName(filter, query) ? groups.map(({ id }) => id) : []
  const members = await listGroupMembers(db, organization, ids)
  return groups.map((group) => groupResource(scimUrl, group, members.get(group.id))).filter(test)
}

/** Directories look for a group by its name, and do not want its members. */
function onlyByName(filter: Filter | undefined, query: ListQuery): boolean {
  if (isAnswered(GROUPS, query, 'members')) return false
  return filter === undefined || (filter.kind === 'compare' && filter.path.toLowerCase() === 'displayname')
}

/** Whom a filter can fit at most. Undefined: nobody. */
function selectionOf(filter: Filter): Selection | undefined {
  const id = equalTo(USERS, filter, 'id')
  if (id !== undefined) {
    const userId = parseUserId(id)
    return userId && { by: 'id', id: userId }
  }
  for (const [path, by] of KEYS) {
    const text = equalTo(USERS, filter, path)
    if (text !== undefined) return { by, text }
  }
  return { by: 'everybody' }
}

const KEYS = [
  ['userName', 'userName'],
  ['externalId', 'externalId'],
  ['emails.value', 'email'],
  ['emails', 'email'],
] as const

/** What an attribute has to be equal to for a filter to hold; undefined where it does not have to. */
function equalTo(kind: ResourceKind, filter: Filter, path: string): string | undefined {
  if (filter.kind === 'and') return equalTo(kind, filter.one, path) ?? equalTo(kind, filter.other, path)
  if (filter.kind === 'value' && filter.sub)
    return `${filter.path}.${filter.sub.name}`.toLowerCase() === path.toLowerCase()
      ? equalTo(kind, filter.sub.test, filter.sub.name)
      : undefined
  if (filter.kind !== 'compare' || filter.operator !== 'eq' || typeof filter.value !== 'string')
    return undefined
  const name = filter.path.toLowerCase()
  const isIt = name === path.toLowerCase() || name === `${kind.schema}:${path}`.toLowerCase()
  return isIt ? filter.value : undefined
}
