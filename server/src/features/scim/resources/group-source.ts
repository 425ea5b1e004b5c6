import { parseInternalId } from '../../../platform/ids.ts'
import type { DirectoryCaller, DirectoryNeeds } from '../connections/directory-caller.ts'
import type { Complex } from '../protocol/attributes.ts'
import { equalTo } from '../protocol/equal-to.ts'
import { comparisonsIn, type Filter, isOf, looksAt, requireFewComparisons } from '../protocol/filter.ts'
import type { ListQuery } from '../protocol/listing.ts'
import { testOf } from '../protocol/match.ts'
import { isAnswered } from '../protocol/projection.ts'
import { GROUPS } from '../protocol/resource-kinds.ts'
import { MEMBERS_IN_ANSWER_MAX, requireAnswerable } from './group-size.ts'
import {
  countGroupMembers,
  type GroupRecord,
  type GroupSelection,
  listGroupMembers,
  listGroups,
} from './group-store.ts'
import type { ResourceSource } from './page-of-list.ts'
import { groupResource } from './resources.ts'

const PART = 200

/** The groups of a directory. Members are read only where a request asks for them or filters by them. */
export function groupsFor(
  { db, scimUrl }: DirectoryNeeds,
  { organization }: DirectoryCaller,
  query: ListQuery,
): ResourceSource {
  const { filter, sortBy } = query
  const looksAtMembers =
    (filter !== undefined && looksAt(filter, 'members')) || (sortBy !== undefined && isOf(sortBy, 'members'))
  const resources = async (groups: readonly GroupRecord[], withMembers: boolean): Promise<Complex[]> => {
    const ids = withMembers ? groups.map(({ id }) => id) : []
    const members = await listGroupMembers(db, organization, ids)
    return groups.map((group) => groupResource(scimUrl, group, members.get(group.id)))
  }
  const requireFewMembers = async (groups: readonly GroupRecord[], of: Filter) => {
    const ids = groups.map(({ id }) => id)
    for (const members of (await countGroupMembers(db, organization, ids)).values())
      requireFewComparisons(members * comparisonsIn(of))
  }
  return {
    kind: GROUPS,
    test: filter ? testOf(GROUPS, filter) : () => true,
    async *parts() {
      // each may have all people of the organization
      const limit = looksAtMembers ? 1 : PART
      const selection = selectionFor(query)
      for (let after: string | undefined, full = true; full; ) {
        const groups = await listGroups(db, organization, selection, { limit, after })
        if (looksAtMembers && filter) await requireFewMembers(groups, filter)
        yield await resources(groups, looksAtMembers)
        after = groups.at(-1)?.id
        full = groups.length === limit
      }
    },
    async read(ids) {
      const withMembers = isAnswered(GROUPS, query, 'members')
      const sizes = withMembers ? await countGroupMembers(db, organization, ids) : new Map<string, number>()
      const fitting = idsThatFit(ids, sizes)
      return await resources(await listGroups(db, organization, { ids: fitting }), withMembers)
    },
  }
}

/** The first ones that fit into one answer with their members. @throws ScimFault where the first alone does not fit */
function idsThatFit(ids: readonly string[], sizes: ReadonlyMap<string, number>): string[] {
  let members = 0
  const fitting: string[] = []
  for (const id of ids) {
    const size = sizes.get(id) ?? 0
    if (fitting.length === 0) requireAnswerable(size, id)
    members += size
    if (members > MEMBERS_IN_ANSWER_MAX) break
    fitting.push(id)
  }
  return fitting
}

function selectionFor({ filter }: ListQuery): GroupSelection {
  if (!filter) return {}
  const id = equalTo(GROUPS, filter, 'id')
  const named = equalTo(GROUPS, filter, 'displayName')
  if (id === undefined) return { named }
  const groupId = parseInternalId(id)
  return { named, ids: groupId === undefined ? [] : [groupId] }
}
