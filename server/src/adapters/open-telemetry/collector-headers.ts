import type { Secret } from '../../platform/secrets/secret.ts'

/** What a collector wants beside the traces: name=value, separated by commas. */
export function headersOf(headers: Secret | undefined): Record<string, string> {
  const pairs = (headers?.reveal() ?? '').split(',').map((pair) => pair.split(/=(.*)/s))
  return Object.fromEntries(
    pairs.flatMap(([name = '', value = '']) => (name.trim() ? [[name.trim(), value.trim()]] : [])),
  )
}
