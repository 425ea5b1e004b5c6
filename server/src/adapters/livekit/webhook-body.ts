import { isUtf8 } from 'node:buffer'
import Type, { type Static, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

/**
 * The JSON of LiveKit's webhooks (protobuf JSON): fields with their default value are left out, 64-bit numbers are
 * text, enums are names. Of what protobuf's own reader takes beside that, null for a field and numbers for 64-bit
 * numbers and enums are taken too; the fields' names of the .proto files (`egress_info`) are not.
 */

const Text = Type.String()
const Int64 = Type.Union([Type.String(), Type.Number()])
const Enum = Type.Union([Type.String(), Type.Integer()])
const fields = <Fields extends Record<string, TSchema>>(schema: Fields) =>
  Type.Union([Type.Partial(Type.Object(schema)), Type.Null()])

// LiveKit itself tells no duration; the interface says that the end of a room does, in seconds
const RoomBody = fields({
  sid: Text,
  name: Text,
  creationTime: Int64,
  creationTimeMs: Int64,
  duration: Int64,
})
const ParticipantBody = fields({
  sid: Text,
  identity: Text,
  name: Text,
  kind: Enum,
  joinedAt: Int64,
  joinedAtMs: Int64,
  attributes: fields({ session: Text, 'lk.agent_name': Text }),
  permission: fields({
    recorder: Type.Boolean(),
    agent: Type.Boolean(),
    canSubscribe: Type.Boolean(),
    canPublish: Type.Boolean(),
  }),
  disconnectReason: Enum,
})
const TrackBody = fields({ sid: Text, source: Enum, type: Enum, encryption: Enum })
const EgressBody = fields({
  egressId: Text,
  roomName: Text,
  status: Enum,
  startedAt: Int64,
  endedAt: Int64,
  updatedAt: Int64,
  error: Text,
  roomComposite: Type.Unknown(),
  web: Type.Unknown(),
  participant: Type.Unknown(),
  trackComposite: Type.Unknown(),
  track: Type.Unknown(),
  fileResults: Type.Array(fields({ filename: Text, size: Int64, duration: Int64, location: Text })),
  streamResults: Type.Array(Type.Unknown()),
  segmentResults: Type.Array(Type.Unknown()),
  imageResults: Type.Array(Type.Unknown()),
  file: fields({ filename: Text, size: Int64, duration: Int64, location: Text }),
  backupStorageUsed: Type.Boolean(),
})
const IngressBody = fields({
  ingressId: Text,
  roomName: Text,
  inputType: Enum,
  state: fields({ status: Enum, error: Text, startedAt: Int64, endedAt: Int64 }),
})

const WebhookBody = Type.Partial(
  Type.Object({
    event: Text,
    id: Text,
    createdAt: Int64,
    duration: Int64,
    room: RoomBody,
    participant: ParticipantBody,
    track: TrackBody,
    egressInfo: EgressBody,
    ingressInfo: IngressBody,
  }),
)

export type WebhookBody = Static<typeof WebhookBody>
export type RoomBody = NonNullable<WebhookBody['room']>
export type ParticipantBody = NonNullable<WebhookBody['participant']>
export type TrackBody = NonNullable<WebhookBody['track']>
export type EgressBody = NonNullable<WebhookBody['egressInfo']>
export type IngressBody = NonNullable<WebhookBody['ingressInfo']>

const form = Compile(WebhookBody)

/** The body of a webhook; undefined where it is not one. */
export function readWebhookBody(bytes: Buffer): WebhookBody | undefined {
  if (!isUtf8(bytes)) return undefined
  let value: unknown
  try {
    value = JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
  return form.Check(value) ? value : undefined
}

const TEXT_LENGTH_MAX = 512

/** A name, an address or what went wrong, as a database takes it: whole characters, no NUL, cut where it is too long. */
export function textOf(value: string | undefined): string {
  return (value ?? '').slice(0, TEXT_LENGTH_MAX).toWellFormed().replaceAll('\0', '')
}

/** An unusable event: a name of one of its parts is missing, empty, or no name that anything has. */
export class UnusableEvent extends Error {
  readonly field: string

  constructor(field: string) {
    super(`${field} is missing, empty or too long`)
    this.field = field
  }
}

/**
 * What names something: never cut, for the rest of it may name something else. `''` where the event does not tell.
 * @throws UnusableEvent
 */
export function idOf(value: string | undefined, field: string): string {
  if (value === undefined) return ''
  const fits =
    value !== '' && value.length <= TEXT_LENGTH_MAX && value.isWellFormed() && !value.includes('\0')
  if (!fits) throw new UnusableEvent(field)
  return value
}

/** The same where an event is of no use without it. @throws UnusableEvent */
export function neededId(value: string | undefined, field: string): string {
  if (value === undefined) throw new UnusableEvent(field)
  return idOf(value, field)
}

/** The name of an enum's value, without its prefix, in lower case; `names[0]` where it was left out. */
export function nameOf(
  value: string | number | undefined,
  prefix: string,
  names: readonly string[],
): string | undefined {
  if (value === undefined) return names[0]
  if (typeof value === 'number') return names[value]
  const name = value.toLowerCase()
  const bare = name.startsWith(prefix) ? name.slice(prefix.length) : name
  return names.includes(bare) ? bare : undefined
}

const UNITS_IN_A_MS = { s: 1 / 1_000, ms: 1, ns: 1_000_000 }
const LATEST_MS = Date.UTC(2200, 0)

/** A moment from a 64-bit number; undefined where it was left out, is 0 or cannot be meant. */
export function momentOf(value: string | number | undefined, unit: 's' | 'ms' | 'ns'): Date | undefined {
  // what a number loses of nanoseconds is far below a millisecond
  const milliseconds = Number(value ?? 0) / UNITS_IN_A_MS[unit]
  return milliseconds > 0 && milliseconds < LATEST_MS ? new Date(Math.round(milliseconds)) : undefined
}

/** A size or a length from a 64-bit number; 0 where it was left out or cannot be meant. */
export function amountOf(value: string | number | undefined): number {
  const amount = Number(value ?? 0)
  return amount > 0 && Number.isFinite(amount) ? amount : 0
}
