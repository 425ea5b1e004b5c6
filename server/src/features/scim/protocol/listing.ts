import { isObject } from '../../../platform/outside/outside-fields.ts'
import { type Complex, placeOf, type ResourceKind, type Value } from './attributes.ts'
import { invalid } from './faults.ts'
import { type Filter, parseFilter } from './filter.ts'
import { valuesAt } from './match.ts'
import { type Projection, requireOneProjection } from './projection.ts'
import { ownValue } from './read-resource.ts'

export const PAGE_MAX = 200
const PAGE_DEFAULT = 100
const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
const NAMES_MAX = 100

/** What is asked of a list of resources (RFC 7644, section 3.4.2). */
export interface ListQuery extends Projection {
  filter: Filter | undefined
  sortBy: string | undefined
  descending: boolean
  /** From 1 on. */
  startIndex: number
  count: number
}

/** Reads a query string, or the body of a search. @throws ScimFault */
export function readListQuery(parameters: unknown): ListQuery {
  if (!isObject(parameters)) throw invalid('invalidSyntax', 'The body is not a JSON object')
  const filter = textIn(parameters, 'filter')
  const sortBy = textIn(parameters, 'sortBy')
  const query = {
    ...readProjection(parameters),
    filter: filter === undefined || filter.trim() === '' ? undefined : parseFilter(filter),
    sortBy: sortBy === '' ? undefined : sortBy,
    descending: textIn(parameters, 'sortOrder')?.toLowerCase() === 'descending',
    startIndex: Math.max(1, numberIn(parameters, 'startIndex') ?? 1),
    count: Math.min(PAGE_MAX, Math.max(0, numberIn(parameters, 'count') ?? PAGE_DEFAULT)),
  }
  return query
}

/** @throws ScimFault */
export function readProjection(parameters: Record<string, unknown>): Projection {
  const projection = {
    attributes: namesIn(parameters, 'attributes'),
    excludedAttributes: namesIn(parameters, 'excludedAttributes'),
  }
  requireOneProjection(projection)
  return projection
}

/** One page of a list that was sorted already. */
export function listResponse(
  resources: readonly Complex[],
  { totalResults, startIndex }: { totalResults: number; startIndex: number },
): Complex {
  return {
    schemas: [LIST_SCHEMA],
    totalResults,
    startIndex,
    itemsPerPage: resources.length,
    Resources: [...resources],
  }
}

/** What something is sorted by; undefined: it has no such value, and comes last, ascending. */
export type SortKey = string | undefined

/** How resources of a kind are sorted by one attribute, of several values by the first. @throws ScimFault */
export function sortKeyOf(kind: ResourceKind, sortBy: string | undefined): (resource: Complex) => SortKey {
  if (sortBy === undefined) return () => undefined
  const place = placeOf(kind, sortBy)
  if (place === undefined) throw invalid('invalidPath', `A ${kind.name} has no attribute ${sortBy}`)
  if (place === 'let-pass') return () => undefined
  const parts = place.attribute.subAttributes
  const byValue = parts?.find(({ name }) => name === 'value')
  const found = { ...place, sub: place.sub ?? byValue }
  const caseExact = (found.sub ?? found.attribute).caseExact
  return (resource) => sortKey(valuesAt(found, resource)[0], caseExact)
}

/** What has the same key stays in its order. */
export function sortedByKey<Keyed extends { key: SortKey }>(
  keyed: readonly Keyed[],
  descending: boolean,
): Keyed[] {
  const direction = descending ? -1 : 1
  return keyed.toSorted((one, other) => direction * compare(one.key, other.key))
}

function sortKey(value: Value | undefined, caseExact: true | undefined): SortKey {
  if (value === undefined || typeof value === 'object') return undefined
  return caseExact ? String(value) : String(value).toLowerCase()
}

function compare(one: SortKey, other: SortKey): number {
  if (one === other) return 0
  if (one === undefined) return 1
  if (other === undefined) return -1
  return one < other ? -1 : 1
}

function textIn(parameters: Record<string, unknown>, name: string): string | undefined {
  const value = ownValue(parameters, name)
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return value
  throw invalid('invalidValue', `${name} is not one text`)
}

function numberIn(parameters: Record<string, unknown>, name: string): number | undefined {
  const value = ownValue(parameters, name)
  if (value === undefined || value === null || value === '') return undefined
  const number = typeof value === 'string' && /^[+-]?\d{1,15}$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isSafeInteger(number))
    throw invalid('invalidValue', `${name} is not a number`)
  return number
}

/** Separated by commas in a query, a list in the body of a search. */
function namesIn(parameters: Record<string, unknown>, name: string): string[] | undefined {
  const value = ownValue(parameters, name)
  if (value === undefined || value === null || value === '') return undefined
  const names = typeof value === 'string' ? value.split(',') : value
  const fits =
    Array.isArray(names) && names.length <= NAMES_MAX && names.every((one) => typeof one === 'string')
  if (!fits) throw invalid('invalidValue', `${name} is not a list of names`)
  return names as string[]
}
