import type { ResourceKind } from './attributes.ts'
import type { Filter } from './filter.ts'

/** What an attribute has to be equal to for a filter to hold; undefined where it does not have to. */
export function equalTo(kind: ResourceKind, filter: Filter, path: string): string | undefined {
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
