import { chatSettings } from '../../../features/chat/statements.ts'
import { MINUTE_MS } from '../../../platform/clock.ts'
import {
  type DatabaseOptions,
  type Db,
  openDatabase,
  openPool,
  type Pool,
} from '../../../platform/database/database.ts'
import { PLANNED_ONCE } from '../../../platform/database/named-statements.ts'
import { poolMeasures } from '../../../platform/metrics/pool-measures.ts'
import type { Opening, Part } from '../../part.ts'

export interface Databases extends Part {
  needs: { db: Db }
  /** Of requests. */
  pool: Pool
  /** The query builder over `pool`. */
  db: Db
  /** Of jobs, mails and all else that no request waits for. */
  backgroundPool: Pool
  /** The query builder over `backgroundPool`. */
  background: Db
  /** For what reads all of something as it stands at one moment, and holds its connection as long as that takes. */
  snapshots: Db
  /** Of what the media server tells, and of the metrics made of it. */
  mediaEvents: Db
  /** For parts that keep connections of their own for requests. */
  forRequests: Omit<DatabaseOptions, 'maxConnections'>
}

/** A statement of a request ends so much before the request would give up: the server ends it, and says so. */
const STATEMENT_ENDS_BEFORE_MS = 200
const BACKGROUND_STATEMENT_MS = 60_000
const BACKGROUND_CONNECTIONS = 2
/** Connections of their own: the burst of a full house must not wait behind mails, nor mails behind it. */
const MEDIA_EVENT_CONNECTIONS = 3
const MEDIA_EVENT_STATEMENT_MS = 30_000

/** The pools that several parts share. Connections are made when first needed. */
export function openDatabases(opening: Opening): Databases {
  const { config, compareClock } = opening
  const forRequests = requestOptions(opening)
  const pool = openLogged(opening, 'the database closed or refused a connection', {
    ...forRequests,
    maxConnections: config.databasePoolSize,
    settings: { ...forRequests.settings, ...PLANNED_ONCE },
  })
  const backgroundPool = openLogged(opening, 'the database closed a background connection', {
    maxConnections: BACKGROUND_CONNECTIONS,
    statementTimeoutMs: BACKGROUND_STATEMENT_MS,
  })
  const snapshotsPool = openLogged(opening, 'the database closed the connection of exports', {
    maxConnections: 1,
    statementTimeoutMs: BACKGROUND_STATEMENT_MS,
  })
  const mediaEventsPool = openLogged(opening, 'the database closed a connection of the media events', {
    maxConnections: MEDIA_EVENT_CONNECTIONS,
    statementTimeoutMs: MEDIA_EVENT_STATEMENT_MS,
  })
  const db = openDatabase(pool)
  const background = openDatabase(backgroundPool)
  return {
    needs: { db },
    jobs: compareClock
      ? [{ name: 'compare-clock', scope: 'node', everyMs: MINUTE_MS, run: () => compareClock(background) }]
      : [],
    measures: () =>
      poolMeasures({ requests: pool, background: backgroundPool, 'media events': mediaEventsPool }),
    pool,
    db,
    backgroundPool,
    background,
    snapshots: openDatabase(snapshotsPool),
    mediaEvents: openDatabase(mediaEventsPool),
    forRequests,
  }
}

function requestOptions({ config, log, connectionString }: Opening) {
  return {
    connectionString,
    statementTimeoutMs: config.databaseWaitMs - STATEMENT_ENDS_BEFORE_MS,
    acquireWithinMs: config.databaseWaitMs,
    awaitsServer: true,
    settings: chatSettings(config.avatarPublicBaseUrl, config.limits),
    onIdleError: (error: Error) => log.warn({ err: error }, 'the database closed or refused a connection'),
  }
}

/** @param message logged when a connection ends that nothing waits for */
function openLogged(
  { connectionString, log, stack }: Opening,
  message: string,
  options: Omit<DatabaseOptions, 'connectionString' | 'onIdleError'>,
): Pool {
  const opened = openPool({
    ...{ connectionString, ...options },
    onIdleError: (error) => log.warn({ err: error }, message),
  })
  // not Kysely's destroy(): it leaves a pool alone through which Kysely itself has asked nothing
  stack.defer(() => opened.end())
  return opened
}
