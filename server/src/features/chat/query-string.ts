import { PostgrestFault, unknownColumn, unreadable } from './faults.ts'
import type { Relation } from './relations.ts'

/** What a request wants of a relation: names are known ones, values are whatever was sent. */
export interface Wanted {
  columns: readonly { name: string; alias: string }[]
  filters: readonly Filter[]
  order: readonly Order[]
  limit: number
  offset: number
}

export interface Filter {
  column: string
  operator: Operator
  negated: boolean
  values: readonly string[]
}

export interface Order {
  column: string
  direction: 'asc' | 'desc'
  nulls: 'first' | 'last' | undefined
}

const OPERATORS = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in', 'is'] as const
export type Operator = (typeof OPERATORS)[number]

/** The words after `is.`. */
const TRUTHS = ['null', 'not_null', 'true', 'false', 'unknown']

/** As fast-querystring parses them. */
export type QueryString = Readonly<Record<string, string | readonly string[]>>

/** Most rows that one answer has. */
export const ROWS_MAX = 1_000
const PARTS_MAX = 50
const FILTER = /^(not\.)?([a-z]+)\.([\s\S]*)$/
const NAME = /^(?:([A-Za-z_]\w{0,62}):)?([A-Za-z_]\w*|\*)$/
const ORDER = /^([A-Za-z_]\w*)(?:\.(asc|desc))?(?:\.nulls(first|last))?$/
/** Of the query string, but no filters. */
const RESERVED = new Set(['select', 'order', 'limit', 'offset'])
/** Those of what is sent. */
const SENDING = ['columns', 'on_conflict']
const AGGREGATE = /(?:^|[.:,])(?:count|sum|avg|min|max)\(\)/

/**
 * Reads the query string of a request for rows.
 * @param besides names in it that are something else (parameters of a function)
 * @throws PostgrestFault 400
 */
export function wantedOf(relation: Relation, query: QueryString, besides: readonly string[] = []): Wanted {
  for (const name of SENDING) {
    if (query[name] !== undefined) throw unreadable('query', name, 'it belongs to what is sent')
  }
  const filters = Object.entries(query)
    .filter(([name]) => !RESERVED.has(name) && !besides.includes(name))
    .flatMap(([name, given]) => [given].flat().map((text) => filterOf(relation, name, text)))
  if (filters.length > PARTS_MAX) throw unreadable('filters', `${filters.length}`, 'too many of them')
  return {
    columns: columnsOf(relation, onceOf(query, 'select')),
    filters,
    order: [...orderOf(relation, onceOf(query, 'order')), ...lastOrderOf(relation)],
    limit: Math.min(countOf('limit', onceOf(query, 'limit')) ?? ROWS_MAX, ROWS_MAX),
    offset: countOf('offset', onceOf(query, 'offset')) ?? 0,
  }
}

/**
 * `select=`: names, `*`, and `alias:name`; a column once. Each time that it is named again would make the answer longer
 * without anything in it that is new.
 */
export function columnsOf(relation: Relation, select: string | undefined): Wanted['columns'] {
  const all = relation.columns.map((name) => ({ name, alias: name }))
  const text = select?.replaceAll(/\s/g, '') || '*'
  if (AGGREGATE.test(text)) throw aggregated()
  if (text.includes('(')) throw unrelated(relation, text)
  const columns = partsOf('select parameter', text).flatMap((part) => {
    const [, alias, name = ''] = NAME.exec(part) ?? []
    if (!name)
      throw unreadable('select parameter', text, `unexpected "${part.slice(0, 50)}" expecting a column`)
    if (name === '*') return all
    requireColumn(relation, name)
    return [{ name, alias: alias ?? name }]
  })
  const twice = repeatedIn(columns.map(({ name }) => name)) ?? repeatedIn(columns.map(({ alias }) => alias))
  if (twice) throw unreadable('select parameter', text, `"${twice}" is named more than once`)
  return columns
}

function repeatedIn(names: readonly string[]): string | undefined {
  return names.find((name, place) => names.indexOf(name) < place)
}

function aggregated(): PostgrestFault {
  return new PostgrestFault(400, 'PGRST123', 'Use of aggregate functions is not allowed', {
    hint: 'How many rows there are is told by the preference count=exact.',
  })
}

function unrelated(relation: Relation, text: string): PostgrestFault {
  const other = (text.split('(', 1)[0] ?? '').split(',').at(-1)?.slice(0, 100)
  return new PostgrestFault(
    400,
    'PGRST200',
    `Could not find a relationship between '${relation.name}' and '${other}' in the schema cache`,
    { details: 'Rows are served without rows of other tables in them.' },
  )
}

function filterOf(relation: Relation, column: string, text: string): Filter {
  if (/^(not\.)?(and|or)$/.test(column)) throw unreadable('logic tree', text, 'and, or: not served')
  requireColumn(relation, column)
  const [, not, word = '', value = ''] = FILTER.exec(text) ?? []
  const operator = OPERATORS.find((known) => known === word)
  if (!operator) {
    const unexpected = (word || text).slice(0, 50)
    throw unreadable(
      'filter',
      text,
      `unexpected "${unexpected}" expecting "not" or operator (${OPERATORS.join(', ')})`,
    )
  }
  return { column, operator, negated: not !== undefined, values: valuesOf(operator, value, text) }
}

function valuesOf(operator: Operator, value: string, text: string): readonly string[] {
  if (operator === 'in') return listOf(value, text)
  if (operator !== 'is') return [value]
  const truth = value.toLowerCase()
  if (TRUTHS.includes(truth)) return [truth]
  throw unreadable('filter', text, `expecting one of ${TRUTHS.join(', ')}`)
}

/**
 * `(1,2,"a,b")`: quotes around a value that holds a comma, and a backslash before a quote within them. A value that
 * is not quoted as a whole is meant as it is, quotes and all: clients quote only for commas and parentheses.
 */
function listOf(value: string, text: string): readonly string[] {
  const [, inner] = /^\(([\s\S]*)\)$/.exec(value) ?? []
  if (inner === undefined) throw unreadable('filter', text, 'expecting "("')
  if (inner.trim() === '') return []
  const item = /\s*(?:"((?:[^"\\]|\\[\s\S])*)"|([^,]*))\s*(?:,|$)/y
  const items: string[] = []
  while (item.lastIndex < inner.length) {
    const [, quoted, bare = ''] = item.exec(inner) ?? []
    items.push(quoted === undefined ? bare : quoted.replaceAll(/\\([\s\S])/g, '$1'))
    if (items.length > ROWS_MAX) throw unreadable('filter', text, `expecting at most ${ROWS_MAX} values`)
  }
  return inner.endsWith(',') ? [...items, ''] : items
}

function orderOf(relation: Relation, order: string | undefined): readonly Order[] {
  if (!order) return []
  return partsOf('order', order).map((part) => {
    const [, column = '', direction = 'asc', nulls] = ORDER.exec(part) ?? []
    if (!column) throw unreadable('order', order, `unexpected "${part.slice(0, 50)}"`)
    requireColumn(relation, column)
    return { column, direction: direction as 'asc' | 'desc', nulls: nulls as 'first' | 'last' | undefined }
  })
}

function lastOrderOf({ orderedBy = [] }: Relation): readonly Order[] {
  return orderedBy.map((column) => ({ column, direction: 'asc', nulls: undefined }))
}

function partsOf(kind: string, text: string): string[] {
  const parts = text.split(',')
  if (parts.length > PARTS_MAX) throw unreadable(kind, text, 'too many of them')
  return parts
}

function countOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  if (!/^\d{1,18}$/.test(text)) throw unreadable(`${name} parameter`, text, 'expecting a whole number')
  return Number(text)
}

function requireColumn(relation: Relation, name: string): void {
  if (!relation.columns.includes(name)) throw unknownColumn(relation.name, name)
}

/** The value of a parameter that has one. @throws PostgrestFault 400 where it has several */
export function onceOf(query: QueryString, name: string): string | undefined {
  const [value, ...more] = [query[name] ?? []].flat()
  if (more.length > 0) throw unreadable('query', name.slice(0, 100), 'it is given more than once')
  return value
}
