import { isObject } from '../../platform/outside/outside-fields.ts'

/** A message of JSON-RPC 2.0 that wants an answer. */
export interface Asked {
  id: string | number
  method: string
  params: Readonly<Record<string, unknown>>
}

export type Fault = { code: number; message: string }

export const INVALID_REQUEST: Fault = { code: -32_600, message: 'Send one message of JSON-RPC 2.0' }
export const UNKNOWN_METHOD: Fault = { code: -32_601, message: 'This method is not served here' }
export const NO_ARGUMENTS: Fault = { code: -32_602, message: 'Give the arguments of a tool as an object' }
export const UNKNOWN_TOOL: Fault = { code: -32_602, message: 'There is no such tool for this token' }

/** Newest first. */
const SPOKEN = ['2025-11-25', '2025-06-18'] as const
/** Of headers. The last has messages in lists, which are not read here: it is agreed to with no client. */
export const VERSIONS: readonly string[] = [...SPOKEN, '2025-03-26']

/** The version that is spoken with a client: its own where it is known, else the newest. */
export function versionFor(wanted: unknown): string {
  return SPOKEN.find((version) => version === wanted) ?? SPOKEN[0]
}

/** What a body asks; `told` where it wants no answer; undefined where it is no message. */
export function readMessage(body: unknown): Asked | 'told' | undefined {
  if (!isObject(body) || body.jsonrpc !== '2.0') return undefined
  const { id, method, params = {} } = body
  if (typeof method !== 'string') return 'result' in body || 'error' in body ? 'told' : undefined
  if (id === undefined) return 'told'
  if ((typeof id !== 'string' && typeof id !== 'number') || !isObject(params)) return undefined
  return { id, method, params }
}
