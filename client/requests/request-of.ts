import { randomId } from './random-id.ts'

/** Where the fields of an operation go, as the table of the client says it. */
export interface Wire {
  method: string
  /** With `{name}` in place of each path parameter. */
  path: string
  query: readonly string[]
  /** Whether there is one: it has what is neither in the path nor in the query. */
  body: boolean
  /** A repetition under the same idempotency key has no second effect. */
  idempotent: boolean
}

const WIRE = /^(\w+) ([^?\s]+)(?:\?(\S+))?( \{\})?( idempotent)?$/

/** Reads a line of the table. @throws TypeError where there is none, or it is malformed */
export function parseWire(operationId: string, line: string | undefined): Wire {
  const found = WIRE.exec(line ?? '')
  if (!found) throw new TypeError(`There is no operation "${operationId}" in the table of this client`)
  const [, method = '', path = '', query, body, idempotent] = found
  return {
    method,
    path,
    query: query?.split(',') ?? [],
    body: body !== undefined,
    idempotent: idempotent !== undefined,
  }
}

/** What of a call goes onto the wire. */
export interface WireRequest {
  method: string
  /** Path with its query, beginning with `/`. */
  target: string
  /** JSON text; undefined: no body at all. */
  body: string | undefined
  /** Sent with what makes something: a repetition under the same key makes nothing twice. */
  idempotencyKey: string | undefined
}

/**
 * Splits the flat input of an operation into path, query and body as the operation declares them; undefined fields count
 * as absent. The office passes over fields that it does not know. Where the operation takes an idempotency key and none is
 * given, it gets one of its own.
 *
 * Throws a TypeError where a path parameter is missing, or would change the path.
 */
export function requestOf(wire: Wire, input: Record<string, unknown>, idempotencyKey?: string): WireRequest {
  return {
    method: wire.method,
    target: fillPath(wire, input) + queryOf(wire, input),
    // a declared body is sent even where every field is left out
    body: wire.body ? JSON.stringify(bodyOf(wire, input)) : undefined,
    idempotencyKey: wire.idempotent ? (idempotencyKey ?? randomId()) : undefined,
  }
}

function bodyOf({ path, query }: Wire, input: Record<string, unknown>): Record<string, unknown> {
  const isElsewhere = (name: string) => query.includes(name) || path.includes(`{${name}}`)
  return Object.fromEntries(Object.entries(input).filter(([name]) => !isElsewhere(name)))
}

function fillPath(wire: Wire, input: Record<string, unknown>): string {
  return wire.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(input, name) ? String(input[name] ?? '') : ''
    // `.` and `..` are steps of the path even when escaped
    if (['', '.', '..'].includes(value)) throw new TypeError(`${wire.path} needs a value for "${name}"`)
    return encodeURIComponent(value)
  })
}

function queryOf(wire: Wire, input: Record<string, unknown>): string {
  const query = new URLSearchParams()
  for (const name of wire.query) {
    const value = Object.hasOwn(input, name) ? input[name] : undefined
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) query.append(name, String(one))
    }
  }
  return query.size > 0 ? `?${query}` : ''
}
