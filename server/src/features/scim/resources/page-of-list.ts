import type { Complex, ResourceKind } from '../protocol/attributes.ts'
import { type ListQuery, type SortKey, sortedByKey, sortKeyOf } from '../protocol/listing.ts'
import type { Test } from '../protocol/match.ts'

/** Where resources of one kind are read from, a part at a time. */
export interface ResourceSource {
  kind: ResourceKind
  test: Test
  /** Those of which some may fit, in their order, with all that the test and the order look at. */
  parts(): AsyncIterable<readonly Complex[]>
  /** Some of them as they are answered; fewer, where they would be too large an answer. */
  read(ids: readonly string[]): Promise<readonly Complex[]>
}

export interface Found {
  kind: ResourceKind
  resource: Complex
}

interface Place {
  source: ResourceSource
  id: string
  key: SortKey
}

/**
 * One page of the resources that fit a query. All are looked at, for their number is told, and few are held at a time:
 * of what is not on the page an id and a key at most.
 */
export async function pageOfList(
  sources: readonly ResourceSource[],
  query: ListQuery,
): Promise<{ page: Found[]; totalResults: number }> {
  const { startIndex, count, sortBy, descending } = query
  const places: Place[] = []
  let totalResults = 0
  for (const source of sources) {
    const keyOf = sortKeyOf(source.kind, sortBy)
    for await (const part of source.parts())
      for (const resource of part) {
        if (!source.test(resource)) continue
        totalResults += 1
        const isOnPage = totalResults >= startIndex && totalResults < startIndex + count
        if (sortBy !== undefined || isOnPage)
          places.push({ source, id: String(resource.id), key: keyOf(resource) })
      }
  }
  const shown =
    sortBy === undefined
      ? places
      : sortedByKey(places, descending).slice(startIndex - 1, startIndex - 1 + count)
  return { page: await readAll(shown), totalResults }
}

/** In the order of the page, up to the first that a source leaves out for being too much. */
async function readAll(places: readonly Place[]): Promise<Found[]> {
  const found = new Map<ResourceSource, Map<string, Complex>>()
  for (const [source, some] of Map.groupBy(places, (place) => place.source)) {
    const resources = await source.read(some.map(({ id }) => id))
    found.set(source, new Map(resources.map((resource) => [String(resource.id), resource])))
  }
  const page = places.map(({ source, id }) => ({ kind: source.kind, resource: found.get(source)?.get(id) }))
  const missing = page.findIndex(({ resource }) => resource === undefined)
  return (missing < 0 ? page : page.slice(0, missing)) as Found[]
}
