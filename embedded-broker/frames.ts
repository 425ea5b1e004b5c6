/** A command of a client, its fields checked. `pong` stands for whatever comes without an id. */
export type Command =
  | { method: 'connect'; id: number; token: string; subs: Map<string, StreamPosition> }
  | {
      method: 'subscribe'
      id: number
      channel: string
      token: string
      data: unknown
      since: StreamPosition | undefined
      /** Rather no subscription than one that has missed something: the client reads its state again first. */
      rejectsUnrecovered: boolean
    }
  | {
      method: 'unsubscribe' | 'publish' | 'history' | 'presence' | 'presence_stats'
      id: number
      channel: string
    }
  | { method: 'rpc'; id: number }
  | { method: 'refresh'; id: number; token: string }
  | { method: 'sub_refresh'; id: number; channel: string; token: string }
  | { method: 'send' }
  | { method: 'pong' }

/** Where a client that comes back stood; undefined in a map: it does not ask to recover. */
export interface StreamPosition {
  epoch: string
  offset: number
}

/** A frame that is no frame of the protocol: the connection cannot go on. */
export class MalformedFrame extends Error {}

type Fields = Record<string, unknown>

/** In the order in which Centrifugo looks for them. */
export const METHODS = [
  'connect',
  'subscribe',
  'unsubscribe',
  'publish',
  'presence',
  'presence_stats',
  'history',
  'rpc',
  'refresh',
  'sub_refresh',
] as const

/** Values and keys of a command, and lists and objects within each other: more than any has. */
const VALUES_MAX = 20_000
const DEPTH_MAX = 32

/** Of `flag` in a subscribe command; the others are offers that we do not take. */
const REJECT_UNRECOVERED = 2

/** The commands of one frame of JSON: objects, one a line. @throws MalformedFrame */
export function commandsOf(frame: string): Command[] {
  const text = frame.endsWith('\n') ? frame.slice(0, -1) : frame
  return text.split('\n').map(commandOf)
}

function commandOf(line: string): Command {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw new MalformedFrame()
  }
  if (!isBounded(value, { left: VALUES_MAX, depth: DEPTH_MAX })) throw new MalformedFrame()
  return commandFrom(objectOf(value))
}

/** Counts down what a value may still have; ends at the first that is too much. */
function isBounded(value: unknown, bounds: { left: number; depth: number }): boolean {
  bounds.left -= 1
  if (bounds.left < 0) return false
  if (typeof value !== 'object' || value === null) return true
  if (bounds.depth === 0) return false
  bounds.depth -= 1
  const isList = Array.isArray(value)
  for (const key in value) {
    if (!isList) bounds.left -= 1
    if (!isBounded((value as Fields)[key], bounds)) return false
  }
  bounds.depth += 1
  return true
}

/** One command, its fields named as in JSON. @throws MalformedFrame */
export function commandFrom(fields: Fields): Command {
  const id = numberOf(fields, 'id')
  if (id === 0) return fields.send === undefined ? { method: 'pong' } : { method: 'send' }
  if (fields.send !== undefined) return { method: 'send' }
  const method = METHODS.find((name) => fields[name] !== undefined && fields[name] !== null)
  if (!method) throw new MalformedFrame()
  return withFields(method, id, objectOf(fields[method]))
}

function withFields(method: (typeof METHODS)[number], id: number, fields: Fields): Command {
  switch (method) {
    case 'connect':
      return { method, id, token: textOf(fields, 'token'), subs: streamPositionsOf(fields) }
    case 'subscribe':
      return {
        method,
        id,
        channel: textOf(fields, 'channel'),
        token: textOf(fields, 'token'),
        data: fields.data,
        since: streamPositionOf(fields),
        rejectsUnrecovered: (numberOf(fields, 'flag') & REJECT_UNRECOVERED) !== 0,
      }
    case 'rpc':
      textOf(fields, 'method')
      return { method, id }
    case 'refresh':
      return { method, id, token: textOf(fields, 'token') }
    case 'sub_refresh':
      return { method, id, channel: textOf(fields, 'channel'), token: textOf(fields, 'token') }
    default:
      return { method, id, channel: textOf(fields, 'channel') }
  }
}

function streamPositionsOf(fields: Fields): Map<string, StreamPosition> {
  const places = new Map<string, StreamPosition>()
  for (const [channel, wanted] of Object.entries(objectOf(fields.subs ?? {}))) {
    const place = streamPositionOf(objectOf(wanted))
    if (place) places.set(channel, place)
  }
  return places
}

function streamPositionOf(fields: Fields): StreamPosition | undefined {
  const { recover } = fields
  if (recover !== undefined && typeof recover !== 'boolean') throw new MalformedFrame()
  const place = { epoch: textOf(fields, 'epoch'), offset: numberOf(fields, 'offset') }
  return recover ? place : undefined
}

function objectOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new MalformedFrame()
  return value as Fields
}

function textOf(fields: Fields, name: string): string {
  const value = fields[name] ?? ''
  if (typeof value !== 'string') throw new MalformedFrame()
  return value
}

function numberOf(fields: Fields, name: string): number {
  const value = fields[name] ?? 0
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw new MalformedFrame()
  return value
}
