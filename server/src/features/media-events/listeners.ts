import { enqueue } from '../../platform/background/work-items.ts'
import { workQueue } from '../../platform/background/work-payload.ts'
import type { WorkQueue } from '../../platform/background/work-queue.ts'
import { type Clock, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { parseRoomId, type RoomId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import { Type } from '../../platform/schema.ts'
import { sideBySide } from '../../platform/side-by-side.ts'
import { traced } from '../../platform/trace.ts'
import type { MediaRecording, ParticipantKind } from '../../ports/media.ts'
import type { MediaEvent } from '../../ports/media-events.ts'
import { roomNameOf } from './apply-event.ts'
import { listUnreported, markTold, type Received, reviveEvent } from './inbox.ts'

/** A participant's connection to a room of ours. */
export interface RoomConnection {
  room: RoomId
  identity: string
  kind: ParticipantKind
  /** SID of the connection: another one each time. */
  connection: string
  /** Of the token that they came with; undefined where it said none. */
  session?: string
  /** Of an agent that came by a job: the name by which its worker has registered. */
  worker?: string
  /** When the event was received, by the office's clock: the media server says whole seconds of its own. */
  at: Date
}

/**
 * Other features that act on what happens at the media server. Told after the event has had its effect here, at
 * least once, in the order of a room as far as nothing fails: they look at what is true now. What throws is told
 * again later.
 */
export interface MediaListeners {
  onParticipantJoined?(joined: RoomConnection): Promise<void>
  onParticipantLeft?(left: RoomConnection): Promise<void>
  /** Not for encrypted ones. */
  onOpenTrack?(published: Pick<RoomConnection, 'room' | 'identity'>): Promise<void>
  /** Also for `updated` events. */
  onRecordingEvent?(recording: MediaRecording): Promise<void>
}

export interface TellNeeds {
  db: Db
  clock: Clock
  log: Pick<Log, 'warn'>
  listeners: MediaListeners
}

const LISTED = 200
const ROOMS_AT_ONCE = 8
const ATTEMPTS_MAX = 10
/** The work queue of events that a listener could not act on. */
export const RETELL_QUEUE = 'media-events-again'

/** Whether any listener waits for events of this kind. */
export function concernsListeners(listeners: MediaListeners, event: MediaEvent): boolean {
  return callFor(listeners, event, event.at) !== undefined
}

/** Tells the listeners everything that they have not heard. */
export async function tellListeners(needs: TellNeeds, signal: AbortSignal): Promise<void> {
  for (;;) {
    const unreported = await listUnreported(needs.db, needs.clock.now(), LISTED)
    const rooms = [...Map.groupBy(unreported, ({ event }) => roomNameOf(event)).values()]
    await sideBySide(rooms, ROOMS_AT_ONCE, async (events) => {
      for (const one of events) {
        if (signal.aborted) return
        await tell(needs, one)
      }
    })
    if (signal.aborted || unreported.length < LISTED) return
  }
}

async function tell(needs: TellNeeds, received: Received): Promise<void> {
  const { event, traceparent } = received
  const step = { name: `media event told ${event.kind}`, kind: 'consumer' } as const
  await (traceparent ? traced(step, () => tellOne(needs, received), traceparent) : tellOne(needs, received))
}

async function tellOne(
  { db, clock, log, listeners }: TellNeeds,
  { event, receivedAt }: Received,
): Promise<void> {
  try {
    await callFor(listeners, event, receivedAt)?.()
    await markTold(db, event.id)
  } catch (err) {
    log.warn({ err, kind: event.kind }, 'a media event was not acted on: it is told again')
    const now = clock.now()
    const payload = { ...event, receivedAt }
    const work = { queue: RETELL_QUEUE, key: event.id, payload, now, runAt: secondsAfter(now, 1) }
    await transaction(db, async (tx) => {
      await enqueue(tx, work)
      await markTold(tx, event.id)
    })
  }
}

/** An event as `MediaEvent` has it, with moments as text. The release before did not say when it was received. */
const MediaEventPayload = Type.Object({
  id: Type.String(),
  kind: Type.String(),
  at: Type.String(),
  receivedAt: Type.Optional(Type.String()),
})

/** Tells again what a listener could not act on. Nothing waits for it: listeners look at what is true by then. */
export function retellQueue(listeners: MediaListeners): WorkQueue {
  return workQueue({
    name: RETELL_QUEUE,
    lanes: { default: 2 },
    retry: { firstSeconds: 2, lastSeconds: 300, maxAttempts: ATTEMPTS_MAX },
    payload: MediaEventPayload,
    handle: async ({ payload }) =>
      await callFor(listeners, reviveEvent(payload), new Date(payload.receivedAt ?? payload.at))?.(),
  })
}

function callFor(listeners: MediaListeners, event: MediaEvent, at: Date): (() => Promise<void>) | undefined {
  if (event.kind === 'egress_started' || event.kind === 'egress_updated' || event.kind === 'egress_ended') {
    return bound(listeners.onRecordingEvent, event.recording)
  }
  const room = parseRoomId(roomNameOf(event) ?? '')
  if (!room) return undefined
  if (event.kind === 'track_published' && !event.track.encrypted)
    return bound(listeners.onOpenTrack, { room, identity: event.participant.identity })
  if (event.kind !== 'participant_joined' && event.kind !== 'participant_left') return undefined
  const { identity, kind, sid: connection, session, worker } = event.participant
  const listener =
    event.kind === 'participant_joined' ? listeners.onParticipantJoined : listeners.onParticipantLeft
  const said = { ...(session && { session }), ...(worker && { worker }) }
  return bound(listener, { room, identity, kind, connection, ...said, at })
}

function bound<T>(listener: ((news: T) => Promise<void>) | undefined, news: T) {
  return listener && (() => listener(news))
}
