import type { Operation } from '@atrium/contract'

/** What of a call goes onto the wire. */
export interface WireRequest {
  method: string
  /** Path with its query, beginning with `/`. */
  target: string
  /** JSON text; undefined: no body at all. */
  body: string | undefined
}

/**
 * Splits the flat input of an operation into path, query and body as the operation declares them. Fields that it
 * does not declare are not sent; undefined ones count as absent.
 *
 * Throws a TypeError where a path parameter is missing, or would change the path.
 */
export function requestOf(declared: Operation, input: Record<string, unknown>): WireRequest {
  return {
    method: declared.method,
    target: fillPath(declared, input) + queryOf(declared, input),
    // a declared body is sent even where every field is left out
    body: declared.body ? JSON.stringify(pick(input, declared.body.properties)) : undefined,
  }
}

function pick(input: Record<string, unknown>, declared: object): Record<string, unknown> {
  const names = Object.keys(declared)
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(input, name)).map((name) => [name, input[name]]),
  )
}

function fillPath(declared: Operation, input: Record<string, unknown>): string {
  return declared.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(input, name) ? String(input[name] ?? '') : ''
    // `.` and `..` are steps of the path even when escaped
    if (['', '.', '..'].includes(value)) throw new TypeError(`${declared.path} needs a value for "${name}"`)
    return encodeURIComponent(value)
  })
}

function queryOf(declared: Operation, input: Record<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(pick(input, declared.query?.properties ?? {}))) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) query.append(name, String(one))
    }
  }
  return query.size > 0 ? `?${query}` : ''
}
