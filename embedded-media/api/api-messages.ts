import { randomBytes } from 'node:crypto'

/** A message of the media server: fields in camelCase, int64 as bigint, enums by name. */
export interface Message {
  [field: string]: MessageValue
}
export type MessageValue = string | number | boolean | bigint | null | Message | readonly MessageValue[]

/** Fields that hold a map: its keys are data, no names of fields. */
const MAPS = ['attributes']
/** The zero of every enum, which the protobuf form of JSON leaves out. */
const ENUM_ZEROS: Record<string, readonly string[]> = {
  state: ['JOINING'],
  kind: ['STANDARD'],
  type: ['AUDIO'],
  source: ['UNKNOWN'],
  status: ['EGRESS_STARTING', 'ENDPOINT_INACTIVE'],
  inputType: ['RTMP_INPUT'],
  sourceType: ['EGRESS_SOURCE_TYPE_WEB'],
  disconnectReason: ['UNKNOWN_REASON'],
}

/** An answer of the API: snake_case, with every default written out. */
export function apiText(message: Message): string {
  return encode(message, { nameOf: snakeCase, leavesOut: () => false, separator: ',' })
}

/** The body of a webhook: camelCase, defaults left out, and the spacing of the program that writes it. */
export function webhookText(message: Message): string {
  return encode(message, { nameOf: (field) => field, leavesOut: isDefault, separator: ', ' })
}

interface Form {
  nameOf(field: string): string
  leavesOut(field: string, value: MessageValue): boolean
  separator: string
}

function encode(value: MessageValue, form: Form): string {
  if (typeof value === 'bigint') return `"${value}"`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item) => encode(item, form)).join(form.separator)}]`
  const fields = Object.entries(value as Message).flatMap(([field, inner]) => {
    if (inner === null || form.leavesOut(field, inner)) return []
    const text = MAPS.includes(field) ? JSON.stringify(inner) : encode(inner, form)
    return [`${JSON.stringify(form.nameOf(field))}:${text}`]
  })
  return `{${fields.join(form.separator)}}`
}

function isDefault(field: string, value: MessageValue): boolean {
  if (value === '' || value === 0 || value === 0n || value === false) return true
  if (Array.isArray(value)) return value.length === 0
  if (MAPS.includes(field)) return Object.keys(value as Message).length === 0
  return typeof value === 'string' && (ENUM_ZEROS[field]?.includes(value) ?? false)
}

function snakeCase(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** A field of a request, however its name is written. */
export function fieldOf(body: Readonly<Record<string, unknown>>, camelCase: string): unknown {
  return body[camelCase] ?? body[snakeCase(camelCase)]
}

export function textOf(body: Readonly<Record<string, unknown>>, camelCase: string): string {
  const value = fieldOf(body, camelCase)
  return typeof value === 'string' ? value : ''
}

/** The texts of a list. */
export function textsOf(body: Readonly<Record<string, unknown>>, camelCase: string): string[] {
  const list = fieldOf(body, camelCase)
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []
}

export function numberOf(body: Readonly<Record<string, unknown>>, camelCase: string): number {
  const value = Number(fieldOf(body, camelCase) ?? 0)
  return Number.isSafeInteger(value) && value > 0 ? value : 0
}

export function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
}

/** An id as the media server makes them: `RM_…`, `PA_…`, `TR_…`, `EG_…`, `EV_…`. */
export function newSid(prefix: string): string {
  return `${prefix}_${randomBytes(9).toString('base64url').replace(/[-_]/g, 'x')}`
}

export type FaultCode =
  | 'malformed'
  | 'not_found'
  | 'invalid_argument'
  | 'unauthenticated'
  | 'permission_denied'
  | 'unavailable'
  | 'failed_precondition'
  | 'internal'
  | 'bad_route'
  | 'canceled'
  | 'unimplemented'
  | 'unknown'

const FAULT_STATUS: Record<FaultCode, number> = {
  malformed: 400,
  not_found: 404,
  invalid_argument: 400,
  unauthenticated: 401,
  permission_denied: 403,
  unavailable: 503,
  failed_precondition: 412,
  internal: 500,
  bad_route: 404,
  canceled: 408,
  unimplemented: 501,
  unknown: 500,
}

/** A refusal of the media server, as Twirp sends it. */
export class MediaFault extends Error {
  readonly code: FaultCode

  constructor(code: FaultCode, message: string) {
    super(message)
    this.name = 'MediaFault'
    this.code = code
  }

  get status(): number {
    return FAULT_STATUS[this.code]
  }
}
