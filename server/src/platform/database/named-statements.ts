import pg from 'pg'
import { beginSpan, currentTraceparent, type Span } from '../trace.ts'
import { isConnectionEnded } from './database-errors.ts'
import { hangUp, isReadTimeout } from './pg-internals.ts'
import { beginWait, outOfTime } from './waiting-budget.ts'

/**
 * Of one connection: its process at the server keeps every plan until it ends. Twice as many as the product has (ADR
 * 0007): more means statements with input in their text. Beyond it a statement is simply planned each time.
 */
export const NAMES_MAX = 1_000
/** By connection, by text. */
const named = new WeakMap<pg.ClientBase, Map<string, string>>()

/**
 * Ends a statement that PostgreSQL plans each time, for the values it comes with: where one plan for all values is a
 * bad one for some of them. Its values travel as literals, which the planner sees in spite of `PLANNED_ONCE`.
 */
export const PLANNED_EACH_TIME = ' /* planned each time */'

/**
 * A setting of connections with prepared statements: one plan for all values. Left to itself PostgreSQL compares it
 * with a plan for the values at hand, and for every list among them (`any`, `unnest`) finds that one cheaper, since it
 * counts the list, and takes a list that it does not know for ten entries. It then plans such a statement at each
 * execution, which takes several times as long as the execution itself.
 */
export const PLANNED_ONCE = { plan_cache_mode: 'force_generic_plan' }

type Callback = (error: Error | undefined, result?: unknown) => void

/**
 * A connection that prepares each data statement under a name the first time it runs it, so that PostgreSQL parses and
 * plans it once per connection and not once per request. A statement that the server did not answer in time ends its
 * connection: all later ones would wait behind it.
 */
export class NamedStatementsClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg's own method
  override query(...args: any[]): any {
    const statement = statementOf(this, args[0], args[1])
    const callback = args.findLast((arg): arg is Callback => typeof arg === 'function')
    if (!statement) return super.query(...(args as [string]))
    const span = spanOf(statement)
    const wait = beginWait()
    if (wait?.leftMs === 0) {
      wait.end()
      span?.end(outOfTime())
      return this.#refuse(callback)
    }
    const timed = wait ? { ...statement, query_timeout: wait.leftMs } : statement
    const settled = (error: Error | undefined) => {
      wait?.end()
      span?.end(error)
      if (!error) return
      if (isReadTimeout(error)) hangUp(this, outOfTime())
      // at once: the end itself arrives only after another caller has been given the connection
      if (isConnectionEnded(error)) this.end().catch(() => {})
    }
    // The pool's own query() comes with a callback, Kysely waits for the promise.
    if (callback) {
      return super.query(timed, (error, result) => {
        settled(error)
        callback(error, result)
      })
    }
    const result = super.query(timed)
    result.then(() => settled(undefined), settled)
    return result
  }

  /** The state of a transaction that could not go on is unknown: the connection goes with it. */
  #refuse(callback: Callback | undefined): Promise<never> | undefined {
    hangUp(this, outOfTime())
    if (!callback) return Promise.reject(outOfTime())
    process.nextTick(callback, outOfTime())
    return undefined
  }
}

const WORD = /^\s*(\w+)/
/** A table, and no function that is read from like one. */
const TABLE = /\b(?:from|into|update|join)\s+(?:only\s+)?"?([a-z_]\w*)\b(?!\()/i

/** Of statements that a caller waits for: background work would make many traces of one step each. */
function spanOf({ text }: pg.QueryConfig): Span | undefined {
  if (currentTraceparent() === undefined) return undefined
  return beginSpan({
    name: summaryOf(text),
    kind: 'client',
    attributes: { 'db.system.name': 'postgresql', 'db.query.summary': summaryOf(text) },
  })
}

/** What a statement does, and with which table first: no user input. */
export function summaryOf(text: string): string {
  const [, word = 'statement'] = WORD.exec(text) ?? []
  const [, table] = TABLE.exec(text) ?? []
  return table ? `${word.toLowerCase()} ${table}` : word.toLowerCase()
}

/** The statement with its name; undefined where it is not one of ours to change (a cursor, a stream of rows). */
function statementOf(client: pg.ClientBase, given: unknown, values: unknown): pg.QueryConfig | undefined {
  if (typeof given === 'object' && given !== null) {
    if ('submit' in given) return undefined
    return { ...(given as pg.QueryConfig), ...(Array.isArray(values) ? { values } : {}) }
  }
  if (typeof given !== 'string') return undefined
  if (!Array.isArray(values)) return { text: given }
  // a NUL ends a simple query; as a parameter PostgreSQL refuses it by its code
  const hasNul = (value: unknown) => String(value).includes('\0')
  if (given.endsWith(PLANNED_EACH_TIME) && !values.some(hasNul)) return { text: withLiterals(given, values) }
  const name = nameOf(client, given)
  return name ? { name, text: given, values } : { text: given, values }
}

/** @throws TypeError for a value that is neither text nor a number */
function withLiterals(text: string, values: readonly unknown[]): string {
  return text.replace(/\$(\d+)/g, (_, place: string) => {
    const value = values[Number(place) - 1]
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new TypeError('a statement that is planned each time takes texts and numbers alone')
    return pg.escapeLiteral(String(value))
  })
}

/**
 * The name under which a data statement is prepared on a connection; undefined where it has too many to keep them all,
 * for what is planned each time, and for all but data statements.
 */
export function nameOf(client: pg.ClientBase, text: string): string | undefined {
  if (text.endsWith(PLANNED_EACH_TIME)) return undefined
  const names = namesOf(client)
  const known = names.get(text)
  if (known) return known
  if (names.size >= NAMES_MAX || !/^(select|insert|update|delete|with)\b/i.test(text.trimStart()))
    return undefined
  const name = `atrium_${names.size}`
  names.set(text, name)
  return name
}

function namesOf(client: pg.ClientBase): Map<string, string> {
  const known = named.get(client)
  if (known) return known
  const names = new Map<string, string>()
  named.set(client, names)
  return names
}
