import { nodeMetrics, officeMetrics } from '@atrium/contract'
import { LRUCache } from 'lru-cache'
import { livekitEvents } from '../adapters/livekit/webhook-receiver.ts'
import type { SigningKey } from '../adapters/livekit/webhook-signature.ts'
import type { Config } from '../configuration/config.ts'
import { type ConnectionNeeds, guestConnected, guestDisconnected } from '../features/guests/connections.ts'
import { admittedGuests } from '../features/guests/reads.ts'
import { ARRIVALS_CHANNEL } from '../features/media-events/inbox.ts'
import { openIntake } from '../features/media-events/intake.ts'
import { mediaJobs, PROCESS_JOB } from '../features/media-events/jobs.ts'
import type { Place } from '../features/media-events/ledger.ts'
import { concernsListeners, type MediaListeners } from '../features/media-events/listeners.ts'
import { mediaWebhook } from '../features/media-events/routes.ts'
import { refreshJob } from '../features/metrics/refresh.ts'
import { type MetricsAccess, metricsPage } from '../features/metrics/routes.ts'
import { organizationOfRoom } from '../features/rooms/reads.ts'
import type { Job, Jobs } from '../platform/background/jobs.ts'
import type { Notifications } from '../platform/background/notifications.ts'
import { readOutboxBacklog } from '../platform/background/outbox.ts'
import type { Clock } from '../platform/clock.ts'
import { type Db, openDatabase, openPool } from '../platform/database/database.ts'
import { isLoopback } from '../platform/http/loopback.ts'
import type { MachineRoutes } from '../platform/http/machine-routes.ts'
import type { RoomId } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import { openNodePage } from '../platform/metrics/node-page.ts'
import { openOfficePage } from '../platform/metrics/office-page.ts'
import { labelText } from '../platform/metrics/tally.ts'
import type { MediaPort } from '../ports/media.ts'

/** What the media server tells, and the metrics that are made of it. */
export interface MediaEvents {
  webhook: MachineRoutes
  metrics: MachineRoutes
  jobs: Job[]
  /** Events that wait in memory. */
  depth(): number
  /** Lets new events be worked on at once, and not only at the next turn. */
  attend(jobs: Jobs): void
  close(): Promise<void>
}

export interface MediaEventsGround {
  config: Config
  log: Log
  clock: Clock
  connectionString: string
  notifications: Notifications
  /** Asked by the sweep; undefined: there is none to ask. */
  media: MediaPort | undefined
  listeners: MediaListeners
}

/** Connections of their own: the burst of a full house must not wait behind mails, nor mails behind it. */
const CONNECTIONS = 3
const STATEMENT_MS = 30_000
const BACKLOG_EVERY_MS = 5_000

export async function openMediaEvents(ground: MediaEventsGround): Promise<MediaEvents> {
  const { config, log, clock, connectionString, notifications, listeners } = ground
  const pool = openPool({
    connectionString,
    maxConnections: CONNECTIONS,
    statementTimeoutMs: STATEMENT_MS,
    onIdleError: (error) => log.warn({ err: error }, 'the database closed a connection of the media events'),
  })
  const db = openDatabase(pool)
  const constant = { project: config.metrics.project, region: config.metrics.region }
  const nodePage = await openNodePage(nodeMetrics, constant)
  const officePage = openOfficePage({
    db,
    log,
    notifications,
    families: officeMetrics,
    constant: labelText(constant),
  })
  const duplicateWindowSeconds = config.webhookDuplicateWindowSeconds
  const intake = openIntake({
    db,
    clock,
    log,
    duplicateWindowSeconds,
    onDuplicates: (count) => nodePage.count('rtc_webhook_duplicates_total', count),
    onDropped: (count) => nodePage.count('rtc_webhook_dropped_total', count),
  })
  nodePage.collect('rtc_webhook_queue_depth', intake.depth)

  return {
    webhook: mediaWebhook({
      receiver: livekitEvents(keysOf(config), clock),
      take: intake.take,
      onUnsigned: () => nodePage.count('rtc_webhook_signature_failures_total'),
      log,
    }),
    metrics: metricsPage({ officePage, nodePage, access: metricsAccessOf(config) }),
    jobs: [
      ...mediaJobs({
        db,
        clock,
        log,
        placeOfRoom: rememberPlaces(),
        admittedGuests,
        listeners,
        concernsOthers: (event) => concernsListeners(listeners, event),
        onProcessed: (seconds) => nodePage.observe('rtc_webhook_processing_seconds', seconds),
        media: ground.media,
        duplicateWindowSeconds,
        sweepSeconds: config.mediaSweepSeconds,
      }),
      refreshJob({ db, clock }, config.metrics.refreshSeconds),
      {
        name: 'measure-outbox',
        everyMs: BACKLOG_EVERY_MS,
        scope: 'node',
        async run() {
          const { pending, oldestSeconds } = await readOutboxBacklog(db)
          nodePage.set('realtime_outbox_pending', pending)
          nodePage.set('realtime_outbox_oldest_seconds', oldestSeconds)
        },
      },
    ],
    depth: intake.depth,
    attend: (jobs) => attend(notifications, jobs),
    async close() {
      await intake.close()
      nodePage.close()
      await officePage.close()
      await db.destroy()
    },
  }
}

/** What the media server signs with. Without one, nothing is believed. */
function keysOf({ media }: Config): SigningKey[] {
  return media ? [{ apiKey: media.apiKey, secret: media.apiSecret }] : []
}

/** Whoever acts on what happens at the media server. */
export function mediaListeners(needs: ConnectionNeeds): MediaListeners {
  return {
    onParticipantJoined: (joined) => guestConnected(needs, joined),
    onParticipantLeft: (left) => guestDisconnected(needs, left),
  }
}

/** Who may read the metrics by the settings. */
export function metricsAccessOf({ host, metrics: { token, port } }: Config): MetricsAccess {
  if (port !== undefined) return { token, withoutToken: 'whoever-reaches-it' }
  return { token, withoutToken: isLoopback(host) ? 'this-machine' : 'nobody' }
}

function attend(notifications: Notifications, jobs: Jobs): void {
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
  notifications.on(ARRIVALS_CHANNEL, () => {
    if (!jobs.isLeader()) return
    // one more run is enough for all that come in during this one
    again = true
    if (!running) void run()
  })
}

const PLACES_MAX = 20_000

/** Whose a room is never changes. What is not known may be known in a moment: it is asked for again. */
function rememberPlaces(): (db: Db, room: RoomId) => Promise<Place | undefined> {
  const known = new LRUCache<RoomId, Place>({ max: PLACES_MAX })
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
