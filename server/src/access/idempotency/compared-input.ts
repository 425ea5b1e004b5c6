import type { Operation } from '@atrium/contract'
import type { InputNotes } from '@atrium/contract/input-sentence'
import { normalizeEmail } from '../../directory/email-address.ts'
import { composed } from '../../platform/text/unicode.ts'

interface Field extends InputNotes {
  format?: string
  items?: Field
}

/**
 * Input as an Idempotency-Key compares it: names and addresses as handlers read them, without the spaces around them
 * and with their characters normalized. What is refused stays as it came.
 */
export function comparedInput(
  { body }: Pick<Operation, 'body'>,
  input: Record<string, unknown>,
): Record<string, unknown> {
  const fields: Record<string, Field> = body?.properties ?? {}
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, comparedValue(fields[name], value)]),
  )
}

function comparedValue(field: Field | undefined, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => comparedValue(field?.items, one))
  if (typeof value !== 'string') return value
  if (field?.isName) return (composed(value) ?? value).trim()
  return field?.format === 'email' ? (normalizeEmail(value) ?? value) : value
}
