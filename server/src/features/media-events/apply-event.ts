import type { MediaEvent, TrackEvent } from '../../ports/media-events.ts'
import { endIngress, endRecording, startIngress, startRecording } from './job-rules.ts'
import { type KnownRoom, type Ledger, metric, touch } from './ledger.ts'
import {
  abortConnection,
  admitGuest,
  finishRoom,
  joinRoom,
  leaveRoom,
  publishTrack,
  secondsBetween,
  startRoom,
  unpublishTrack,
} from './rules.ts'

export interface Arrival {
  event: MediaEvent
  receivedAt: Date
}

/** What an event cannot tell. */
export interface Circumstances {
  /** Undefined: a room that is not ours, or none. */
  place: KnownRoom | undefined
  /** Whether the participant is a guest who was let in. */
  admitted: boolean
}

/**
 * Far beyond the last bucket, and beyond the half minute for which the media server tries: a clock that is wrong by
 * years must not be in the sum for good.
 */
const LAG_SECONDS_MAX = 3_600

const OFFICE = { organization: null, labels: {} }
const UNKNOWN = { organization: null, labels: { org_id: 'unknown' } }

/** One event after the other: first what is told of the delivery, then what it means for its organization. */
export function applyEvent(
  ledger: Ledger,
  { event, receivedAt }: Arrival,
  { place, admitted }: Circumstances,
): void {
  const stray = place === undefined && event.kind !== 'other'
  ledger.tally.count(metric('rtc_webhook_events_total'), stray ? UNKNOWN : OFFICE, { event: event.kind })
  ledger.tally.observe(
    metric('rtc_webhook_delivery_lag_seconds'),
    OFFICE,
    Math.min(LAG_SECONDS_MAX, secondsBetween(event.at, receivedAt)),
  )
  if (!place) return
  touch(ledger, place)
  // a participant seen after the admission counts from then on, even before any look at the room
  const guest = 'participant' in event ? ledger.connections.get(event.participant.sid) : undefined
  if (guest && admitted) admitGuest(ledger, place, guest, event.at)
  applyToRoom(ledger, event, place, admitted)
}

function applyToRoom(ledger: Ledger, event: MediaEvent, place: KnownRoom, admitted: boolean): void {
  const { kind, at } = event
  if (kind === 'room_started') startRoom(ledger, place, event.room, at)
  else if (kind === 'room_finished') finishRoom(ledger, place, event.room, at, event)
  else if (kind === 'participant_joined') joinRoom(ledger, place, event, at, admitted)
  else if (kind === 'participant_left') leaveRoom(ledger, place, event, at, admitted)
  else if (kind === 'participant_connection_aborted') abortConnection(ledger, place, event.reason)
  else if (kind === 'egress_started') startRecording(ledger, place, event.recording, at)
  else if (kind === 'egress_ended') endRecording(ledger, place, event.recording, at)
  else if (kind === 'ingress_started') startIngress(ledger, place, event.ingress, at)
  else if (kind === 'ingress_ended') endIngress(ledger, place, event.ingress, at)
  else if ('track' in event) applyTrack(ledger, event, place)
}

function applyTrack(ledger: Ledger, event: TrackEvent & { at: Date }, place: KnownRoom): void {
  if (event.participant.kind !== 'person') return
  const apply = event.kind === 'track_published' ? publishTrack : unpublishTrack
  apply(ledger, place, event, event.at)
}

/** The media server's name of the room that an event is about; undefined where it is about none. */
export function roomNameOf(event: MediaEvent): string | undefined {
  if ('room' in event) return event.room.name
  if ('recording' in event) return event.recording.room
  return 'ingress' in event ? event.ingress.room : undefined
}
