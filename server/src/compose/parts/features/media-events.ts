import { livekitEvents } from '../../../adapters/livekit/webhook-receiver.ts'
import type { SigningKey } from '../../../adapters/livekit/webhook-signature.ts'
import type { Config } from '../../../configuration/config.ts'
import { guestConnected, guestDisconnected } from '../../../features/guests/connections.ts'
import { admittedGuests } from '../../../features/guests/reads.ts'
import { eraseFromMediaEvents } from '../../../features/media-events/erase.ts'
import { ARRIVALS_CHANNEL } from '../../../features/media-events/inbox.ts'
import { openIntake } from '../../../features/media-events/intake.ts'
import { mediaJobs, PROCESS_JOB } from '../../../features/media-events/jobs.ts'
import type { KnownRoom } from '../../../features/media-events/ledger.ts'
import {
  concernsListeners,
  type MediaListeners,
  retellQueue,
} from '../../../features/media-events/listeners.ts'
import { mediaWebhook } from '../../../features/media-events/routes.ts'
import { personConnected } from '../../../features/rooms/connections.ts'
import { organizationOfRoom } from '../../../features/rooms/reads.ts'
import { openTrackPublished } from '../../../features/rooms/sealed/open-tracks.ts'
import type { Jobs } from '../../../platform/background/jobs.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { RoomId } from '../../../platform/ids.ts'
import { boundedCache } from '../../../platform/limits/bounded-cache.ts'
import type { Opening, Part } from '../../part.ts'
import type { Metrics } from '../metrics.ts'
import type { Databases } from '../platform/databases.ts'
import type { OfficeJobs } from '../platform/jobs.ts'
import type { Media } from '../ports/media.ts'
import type { Recordings } from './recordings.ts'

/** What the media server tells. */
export interface MediaEvents extends Part {
  needs: Record<string, never>
  /** Events that wait in memory. */
  depth(): number
}

export function openMediaEvents(
  { config, clock, log, stack }: Opening,
  given: { databases: Databases; metrics: Metrics; media: Media; recordings: Recordings; jobs: OfficeJobs },
): MediaEvents {
  const { mediaEvents: db, background } = given.databases
  const { nodePage } = given.metrics
  const { media } = given.media.needs
  const guestNeeds = { db: background, clock, log, media }
  const listeners = listenersOf(guestNeeds, given.recordings)
  const duplicateWindowSeconds = config.webhookDuplicateWindowSeconds
  const intake = openIntake({
    db,
    clock,
    log,
    duplicateWindowSeconds,
    onDuplicates: (count) => nodePage.count('rtc_webhook_duplicates_total', count),
    onDropped: (count) => nodePage.count('rtc_webhook_dropped_total', count),
  })
  stack.defer(() => intake.close())
  nodePage.collect('rtc_webhook_queue_depth', intake.depth)
  const webhook = mediaWebhook({
    receiver: livekitEvents(keysOf(config), clock),
    take: intake.take,
    onUnsigned: () => nodePage.count('rtc_webhook_signature_failures_total'),
    onUnusable: () => nodePage.count('rtc_webhook_unusable_total'),
    log,
  })
  return {
    needs: {},
    erasers: [{ name: 'media events', erase: (person) => eraseFromMediaEvents(background, person) }],
    depth: intake.depth,
    machineRoutes: [webhook],
    listeners: { [ARRIVALS_CHANNEL]: processAtOnce(given.jobs) },
    queues: [retellQueue(listeners)],
    jobs: mediaJobs({
      db,
      clock,
      log,
      listeners,
      admittedGuests,
      duplicateWindowSeconds,
      placeOfRoom: rememberRooms(),
      concernsOthers: (event) => concernsListeners(listeners, event),
      onProcessed: (seconds) => nodePage.observe('rtc_webhook_processing_seconds', seconds),
      // asked by the sweep, where there is one to ask
      media: config.media && media,
      sweepSeconds: config.mediaSweepSeconds,
    }),
  }
}

function listenersOf(
  guestNeeds: Parameters<typeof guestConnected>[0] & Parameters<typeof personConnected>[0],
  { onRecordingEvent }: Recordings,
): MediaListeners {
  return {
    onParticipantJoined: async (joined) => {
      await guestConnected(guestNeeds, joined)
      await personConnected(guestNeeds, joined)
    },
    onParticipantLeft: (left) => guestDisconnected(guestNeeds, left),
    onOpenTrack: (published) => openTrackPublished(guestNeeds, published),
    onRecordingEvent,
  }
}

/** What the media server signs with. Without one, nothing is believed. */
function keysOf({ media }: Config): SigningKey[] {
  return media ? [{ apiKey: media.apiKey, secret: media.apiSecret }] : []
}

/** Works on new events at once, and not only at the next turn of the job. */
function processAtOnce(jobs: Pick<Jobs, 'runNow' | 'isLeader'>): () => void {
  let running = false
  let again = false
  const run = async () => {
    running = true
    do {
      again = false
      // what fails is logged by the job, and tried again at its next turn
      await jobs.runNow(PROCESS_JOB).catch(() => undefined)
    } while (again)
    running = false
  }
  return () => {
    if (!jobs.isLeader()) return
    // one more run is enough for all that come in during this one
    again = true
    if (!running) void run()
  }
}

const ROOMS_MAX = 20_000

/** The organization of a room never changes. An unknown room may be known in a moment: it is asked for again. */
function rememberRooms(): (db: Db, room: RoomId) => Promise<KnownRoom | undefined> {
  const known = boundedCache<RoomId, KnownRoom>(ROOMS_MAX)
  return async (db, room) => {
    const place = known.get(room)
    if (place) return place
    const owner = await organizationOfRoom(db, room)
    if (!owner) return undefined
    const found = { ...owner, roomId: room }
    known.set(room, found)
    return found
  }
}
