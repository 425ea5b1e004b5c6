import { type Place, placeOf, type ResourceKind } from './attributes.ts'
import { invalid } from './faults.ts'
import { FILTER_LENGTH_MAX, type Filter, parseFilter } from './filter.ts'
import { type Test, valueTestOf } from './match.ts'

/** Where an operation of a patch is aimed. */
export interface Target extends Place {
  /** Which of several values, and how to make one where none is there yet. */
  chosen: { test: Test; filter: Filter } | undefined
}

const PATH = /^([^[\]]+)(?:\[(.*)\](?:\.([A-Za-z$][\w$-]*))?)?$/s

/**
 * Reads the path of an operation (RFC 7644, section 3.5.2).
 * @returns `let-pass` where the standard knows it and we keep nothing of it
 * @throws ScimFault invalidPath, invalidFilter
 */
export function readPath(kind: ResourceKind, path: string): Target | 'let-pass' {
  if (path.length > FILTER_LENGTH_MAX) throw invalid('invalidPath', 'The path is too long')
  const [, name = '', filterText, sub] = PATH.exec(path.trim()) ?? []
  const place = placeOf(kind, name.trim())
  if (place === undefined)
    throw invalid('invalidPath', `A ${kind.name} has no attribute ${path.slice(0, 100)}`)
  if (place === 'let-pass') return 'let-pass'
  if (filterText === undefined) return { ...place, chosen: undefined }
  const { attribute } = place
  if (place.sub || !attribute.multiValued || attribute.type !== 'complex')
    throw invalid('invalidPath', `${name} has no values to choose from`)
  const filter = parseFilter(filterText)
  const chosen = { test: valueTestOf(kind, attribute, filter), filter }
  if (sub === undefined) return { attribute, sub: undefined, chosen }
  const found = placeOf(kind, `${attribute.name}.${sub}`)
  if (found === undefined) throw invalid('invalidPath', `${attribute.name} has no part ${sub}`)
  return found === 'let-pass' ? 'let-pass' : { ...found, chosen }
}
