import type { Db } from '../../../platform/database/database.ts'
import { parseUserId } from '../../../platform/ids.ts'
import type { DirectoryCaller, DirectoryNeeds } from '../connections/directory-caller.ts'
import { type Complex, placeOf, type ResourceKind } from '../protocol/attributes.ts'
import { KINDS } from '../protocol/discovery.ts'
import { equalTo } from '../protocol/equal-to.ts'
import { invalid, ScimFault } from '../protocol/faults.ts'
import type { Filter } from '../protocol/filter.ts'
import { type ListQuery, listResponse } from '../protocol/listing.ts'
import { type Test, testOf } from '../protocol/match.ts'
import { isAnswered, project } from '../protocol/projection.ts'
import { GROUPS, USERS } from '../protocol/resource-kinds.ts'
import { groupsFor } from './group-source.ts'
import { listGroupsOf } from './group-store.ts'
import { type Found, pageOfList, type ResourceSource } from './page-of-list.ts'
import { userResource, withVersion } from './resources.ts'
import { countPeople, type DirectoryPerson, listPeople, type Selection } from './user-store.ts'

/** So many rows are in memory at a time while a whole list is looked at. */
const PART = 1_000

/** A page of the people whom a directory sees. What asks for one of them by a key, as directories do, reads no others. */
export async function listUsers(
  needs: DirectoryNeeds,
  caller: DirectoryCaller,
  query: ListQuery,
): Promise<Complex> {
  const { organization } = caller
  if (query.filter || query.sortBy !== undefined)
    return await listFrom([usersFor(needs, caller, query)], query)
  const totalResults = await countPeople(needs.db, organization)
  const part = { limit: query.count, offset: query.startIndex - 1 }
  const people = query.count === 0 ? [] : await listPeople(needs.db, organization, { by: 'everybody' }, part)
  const resources = await userResources(needs.db, needs, caller, people)
  return listResponse(
    resources.map((resource) => shown({ kind: USERS, resource }, query)),
    { totalResults, startIndex: query.startIndex },
  )
}

/** A page of the groups of a directory. Without their members where these are not asked for: groups may be large. */
export async function listGroupResources(
  needs: DirectoryNeeds,
  caller: DirectoryCaller,
  query: ListQuery,
): Promise<Complex> {
  return await listFrom([groupsFor(needs, caller, query)], query)
}

/** People and groups together: both kinds are asked, and what only one of them has is absent in the other. */
export async function searchAll(
  needs: DirectoryNeeds,
  caller: DirectoryCaller,
  query: ListQuery,
): Promise<Complex> {
  const { filter, sortBy } = query
  const sources = KINDS.filter(
    (kind) => (sortBy === undefined || placeOf(kind, sortBy) !== undefined) && testIn(kind, filter),
  ).map((kind) => (kind === USERS ? usersFor(needs, caller, query) : groupsFor(needs, caller, query)))
  if (sources.length === 0)
    throw invalid('invalidFilter', 'Neither users nor groups have all attributes that are named')
  return await listFrom(sources, query)
}

async function listFrom(sources: readonly ResourceSource[], query: ListQuery): Promise<Complex> {
  const { page, totalResults } = await pageOfList(sources, query)
  return listResponse(
    page.map((found) => shown(found, query)),
    { totalResults, startIndex: query.startIndex },
  )
}

function shown({ kind, resource }: Found, query: ListQuery): Complex {
  // the entity tag of a group is that of its members too
  const whole = kind === USERS || isAnswered(GROUPS, query, 'members')
  return project(kind, whole ? withVersion(resource) : resource, query)
}

function testIn(kind: ResourceKind, filter: Filter | undefined): Test | undefined {
  try {
    return filter ? testOf(kind, filter) : () => true
  } catch (error) {
    if (error instanceof ScimFault) return undefined
    throw error
  }
}

function usersFor(needs: DirectoryNeeds, caller: DirectoryCaller, { filter }: ListQuery): ResourceSource {
  const { db } = needs
  const resources = (people: readonly DirectoryPerson[]) => userResources(db, needs, caller, people)
  return {
    kind: USERS,
    test: filter ? testOf(USERS, filter) : () => true,
    async *parts() {
      const selection = filter ? selectionOf(filter) : ({ by: 'everybody' } as const)
      if (!selection) return
      for (let after: string | undefined, full = true; full; ) {
        const people = await listPeople(db, caller.organization, selection, { limit: PART, after })
        yield await resources(people)
        after = people.at(-1)?.id
        full = people.length === PART
      }
    },
    read: async (ids) => resources(await listPeople(db, caller.organization, { by: 'ids', ids })),
  }
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

/** The users that a filter can fit at most; undefined: none. */
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
