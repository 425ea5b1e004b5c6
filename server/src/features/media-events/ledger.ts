import { type OfficeMetric, officeMetrics } from '@atrium/contract'
import type { IdentityOrganizationId, OrganizationId, RoomId, UserId } from '../../platform/ids.ts'
import { newTally, type SeriesOwner, type Tally } from '../../platform/metrics/tally.ts'
import type { TrackSource, TrackType } from '../../ports/media.ts'

/** The live session of a room. */
export interface RoomSession {
  sid: string
  organization: OrganizationId
  roomId: RoomId
  startedAt: Date
  /** Its start has been counted. */
  counted: boolean
  endedAt: Date | null
  endedBy: 'event' | 'sweep' | null
}

/** One connection of a participant to a room. */
export interface Connection {
  sid: string
  organization: OrganizationId
  roomSid: string
  roomId: RoomId
  identity: string
  /** Null: no member. */
  userId: UserId | null
  /** A bot that is here as what it is: an agent. It is no participant that counts. Null: none of the organization's. */
  botId: UserId | null
  /** What a bot may do: hear the room, and be heard and seen. */
  listens: boolean
  speaks: boolean
  counts: boolean
  /** In a temporary room: others than the two do not hear of it. */
  apart: boolean
  /** A guest who may come to count. */
  waits: boolean
  /** Since when it counts. */
  joinedAt: Date
  /** The session has been counted. */
  counted: boolean
  endedAt: Date | null
  endedBy: 'event' | 'room' | 'sweep' | null
  seconds: number | null
}

export interface PublishedTrack {
  sid: string
  organization: OrganizationId
  roomSid: string
  participantSid: string
  source: TrackSource
  type: TrackType
  publishedAt: Date
  endedAt: Date | null
  endedBy: 'event' | 'participant' | 'room' | 'sweep' | null
}

/** A recording, or a stream brought in. */
export interface MediaJob {
  kind: 'egress' | 'ingress'
  /** Unique within the kind. */
  key: string
  organization: OrganizationId
  roomId: RoomId
  /** `request_type` or `input_type`. */
  variety: string
  startedAt: Date | null
  counted: boolean
  endedAt: Date | null
  result: string | null
  seconds: number | null
}

/** Whether others see the participant in the room by this connection: not who waits, and no machinery. */
export function isInside({ counts, endedAt }: Connection): boolean {
  return counts && endedAt === null
}

/** Whether a bot is in the room by this connection. */
export function isAgentInside({ botId, endedAt }: Connection): boolean {
  return botId !== null && endedAt === null
}

/** Rows that are at hand, and which of them have to be written. */
export interface LedgerTable<Row> {
  get(key: string): Row | undefined
  all(): Iterable<Row>
  /** As it was read. */
  place(row: Row): void
  /** New or changed. */
  put(row: Row): Row
  changed(): Row[]
}

/** The part of what is known that a piece of work is about, and what it adds to the metrics. */
export interface Ledger {
  rooms: LedgerTable<RoomSession>
  connections: LedgerTable<Connection>
  tracks: LedgerTable<PublishedTrack>
  jobs: LedgerTable<MediaJob>
  tally: Tally
  /** SIDs of the connections that counted or were a bot's, and of the tracks that were published, when they were read. */
  openBefore: Set<string>
  /** Organizations of gauges that may have changed. */
  touched: Map<OrganizationId, KnownRoom>
  /** The bots that workers are, by `workersIn`. */
  workers: Map<string, UserId>
  /** Where it is told what happens in the rooms that were touched. */
  channels: Map<RoomId, readonly string[]>
}

/** A room of ours, and its organization. */
export interface KnownRoom {
  roomId: RoomId
  organization: OrganizationId
  organizationIdentityId: IdentityOrganizationId
  organizationName: string
  /** A temporary room: others than the two do not hear of it. */
  apart: boolean
  /** Where it is told what happens in it. */
  channels: readonly string[]
}

const BUCKETS: ReadonlyMap<string, readonly number[]> = new Map(
  officeMetrics.flatMap((metric) => ('buckets' in metric ? [[metric.name, metric.buckets] as const] : [])),
)

export function newLedger(): Ledger {
  return {
    rooms: newLedgerTable(({ sid }) => sid),
    connections: newLedgerTable(({ sid }) => sid),
    tracks: newLedgerTable(({ sid }) => sid),
    jobs: newLedgerTable<MediaJob>(keyOfJob),
    tally: newTally(BUCKETS),
    openBefore: new Set(),
    touched: new Map(),
    workers: new Map(),
    channels: new Map(),
  }
}

/** Something may be different in a room. */
export function touch(ledger: Ledger, place: KnownRoom): void {
  ledger.touched.set(place.organization, place)
  ledger.channels.set(place.roomId, place.channels)
}

/** Names of workers are an organization's: another one may have the same for a bot of its own. */
export function workersIn({ organization }: Pick<KnownRoom, 'organization'>, agentName: string): string {
  return `${organization} ${agentName}`
}

export function keyOfJob({ kind, key }: Pick<MediaJob, 'kind' | 'key'>): string {
  return `${kind}:${key}`
}

/** The organization that the series of a place count for. */
export function ownerOf({ organization, organizationIdentityId }: KnownRoom): SeriesOwner {
  return { organization, labels: { org_id: organizationIdentityId } }
}

/** The names of metrics, checked by the compiler. */
export function metric(name: OfficeMetric): OfficeMetric {
  return name
}

function newLedgerTable<Row>(keyOf: (row: Row) => string): LedgerTable<Row> {
  const rows = new Map<string, Row>()
  const changed = new Set<Row>()
  return {
    get: (key) => rows.get(key),
    all: () => rows.values(),
    place: (row) => void rows.set(keyOf(row), row),
    put(row) {
      rows.set(keyOf(row), row)
      changed.add(row)
      return row
    },
    changed: () => [...changed],
  }
}
