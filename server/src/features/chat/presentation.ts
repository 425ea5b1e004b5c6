import type { Answer, Question } from './exchange.ts'
import { notOneRow, PostgrestFault } from './faults.ts'
import { appliedOf, type Preferences } from './preferences.ts'

type Headers = Question['headers']

const OBJECT = 'application/vnd.pgrst.object+json'
const ARRAYS = ['*/*', 'application/*', 'application/json', 'application/vnd.pgrst.array+json']

/** Whether one object or a list is wanted, by `Accept`. @throws PostgrestFault 406 */
export function acceptedForm(headers: Headers): 'array' | 'object' {
  const accept = headers.accept
  if (typeof accept !== 'string' || accept === '') return 'array'
  for (const part of accept.split(',')) {
    const [type = '', ...parameters] = part
      .toLowerCase()
      .split(';')
      .map((text) => text.trim())
    if (parameters.some((parameter) => parameter.startsWith('nulls='))) continue
    if (type === OBJECT) return 'object'
    if (ARRAYS.includes(type)) return 'array'
  }
  const message = `None of these media types are available: ${accept.slice(0, 200)}`
  throw new PostgrestFault(406, 'PGRST107', message)
}

/** The header `Range: 0-9`, of rows. @throws PostgrestFault 416 */
export function rangeOf(headers: Headers): { offset: number; limit: number | undefined } | undefined {
  if (headers.range === undefined) return undefined
  const [, first, final] = /^(?:items=)?(\d{1,18})-(\d{0,18})$/.exec(String(headers.range)) ?? []
  if (first === undefined) throw unsatisfiable('The Range header is read as rows: Range: 0-9.')
  if (!final) return { offset: Number(first), limit: undefined }
  if (Number(final) < Number(first))
    throw unsatisfiable(
      'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
    )
  return { offset: Number(first), limit: Number(final) - Number(first) + 1 }
}

interface Shown {
  form: 'array' | 'object'
  offset: number
  /** Of all rows, where it was asked for. */
  total: number | undefined
  preferences: Preferences
}

/** Rows as they go onto the wire. @throws PostgrestFault 406 where one row was wanted and there is another number */
export function present(
  found: { text: string; rows: number },
  { form, offset, total, preferences }: Shown,
): Answer {
  const all = total ?? '*'
  if (total !== undefined && offset > 0 && offset >= total)
    throw unsatisfiable(`An offset of ${offset} was requested, but there are only ${total} rows.`, total)
  const range = found.rows > 0 ? `${offset}-${offset + found.rows - 1}/${all}` : `*/${all}`
  const headers = { 'content-range': range, ...appliedOf(preferences) }
  if (form === 'object' && found.rows !== 1) throw notOneRow(found.rows)
  const partial = form === 'array' && total !== undefined && found.rows < total
  const status = partial ? 206 : 200
  if (preferences.returns === 'minimal') return { status, headers }
  if (form === 'array') return { status, headers, text: found.text }
  const type = { 'content-type': `${OBJECT}; charset=utf-8` }
  return { status: 200, headers: { ...headers, ...type }, text: found.text.slice(1, -1) }
}

export function unsatisfiable(details: string, total?: number): PostgrestFault {
  return new PostgrestFault(416, 'PGRST103', 'Requested range not satisfiable', {
    details,
    headers: total === undefined ? {} : { 'content-range': `*/${total}` },
  })
}
