import { requireName } from '../../directory/display-name.ts'
import { isRawJson } from '../../platform/http/input/exact-json.ts'
import { Refusal } from '../../platform/refusal.ts'
import { invalidBody, PostgrestFault } from './faults.ts'
import { onceOf, type QueryString, ROWS_MAX } from './query-string.ts'
import type { RemoteFunction } from './relations.ts'
import { TITLE_CHARACTERS } from './sent-bounds.ts'
import { arrayText } from './statements.ts'

/** What a function is called with, by name, as PostgreSQL reads it. */
export type Arguments = ReadonlyMap<string, string | null>

const WHOLE_NUMBER = /^[+-]?\d+$/
const TITLE = { min: 1, max: TITLE_CHARACTERS, label: 'a title' }

/** Of a POST. @throws PostgrestFault 400 where the body is no object */
export function bodyArguments(called: RemoteFunction | undefined, body: unknown): Arguments {
  if (body === undefined || body === null) return new Map()
  if (typeof body !== 'object' || Array.isArray(body)) throw invalidBody()
  return new Map(Object.entries(body).map(([name, value]) => [name, textOf(value, called?.parameters[name])]))
}

/** Of a GET. */
export function queryArguments(called: RemoteFunction | undefined, query: QueryString): Arguments {
  const names = Object.keys(called?.parameters ?? {}).filter((name) => query[name] !== undefined)
  return new Map(names.map((name) => [name, onceOf(query, name) ?? null]))
}

export function fits({ parameters, required }: RemoteFunction, given: Arguments): boolean {
  return (
    [...given.keys()].every((name) => Object.hasOwn(parameters, name)) &&
    required.every((name) => given.has(name))
  )
}

/**
 * What the database would not say in words: a page that is longer than any answer, or has a negative length, and what a
 * title may not hold. @returns the arguments as they are to be used
 * @throws PostgrestFault 400
 */
export function checkedArguments(given: Arguments): Arguments {
  requirePage(given.get('p_limit'))
  const title = given.get('p_title')
  if (title === undefined || title === null) return given
  return new Map([...given, ['p_title', titleOf(title)]])
}

function requirePage(limit: string | null | undefined): void {
  // whatever is no number the database refuses
  if (limit === undefined || limit === null || !WHOLE_NUMBER.test(limit)) return
  if (Number(limit) < 0) throw new PostgrestFault(400, '2201W', 'p_limit must not be negative')
  if (Number(limit) <= ROWS_MAX) return
  throw new PostgrestFault(400, '22023', `p_limit is at most ${ROWS_MAX}`, {
    hint: 'Ask for the next page with p_cursor.',
  })
}

function titleOf(text: string): string {
  try {
    return requireName(text, 'p_title', TITLE)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new PostgrestFault(400, '22023', error.message)
  }
}

/** A value as PostgreSQL reads it; whether it is one of that type, it says itself. */
function textOf(value: unknown, type: string | undefined): string | null {
  if (value === null) return null
  if (Array.isArray(value) && type?.endsWith('[]'))
    return arrayText(value.map((item) => textOf(item, undefined)))
  if (isRawJson(value)) return value.rawJSON
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
