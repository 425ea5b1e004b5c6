import { openPool } from '../../../platform/database/database.ts'
import { PLANNED_ONCE } from '../../../platform/database/named-statements.ts'
import { poolMeasures } from '../../../platform/metrics/pool-measures.ts'
import {
  type OrganizationReads,
  primarySource,
  readsAtReplica,
} from '../../../platform/replicas/organization-reads.ts'
import { ORGANIZATION_TOLD, openPositions } from '../../../platform/replicas/positions.ts'
import type { Opening, Part } from '../../part.ts'
import type { Databases } from './databases.ts'
import type { OfficeNotifications } from './notifications.ts'

export interface Replica extends Part {
  needs: { reads: OrganizationReads }
}

/** Of the time that a request waits for the database: where the replica is silent, the primary has the rest. */
const SHARE_OF_REPLICA = 0.3
const CONNECT_WITHIN_MS = 500

/** Where lists and pages of chat are read: at the primary, or at a replica that is far enough. */
export function openReplica(
  { config, log, stack }: Opening,
  { databases, notifications }: { databases: Databases; notifications: OfficeNotifications },
): Replica {
  const primary = primarySource(databases.pool, databases.db)
  if (!config.databaseReplicaUrl || !config.databaseUrl)
    return { needs: { reads: { read: (_, work) => work(primary) } } }
  const replica = openPool({
    ...databases.forRequests,
    connectionString: config.databaseReplicaUrl.reveal(),
    maxConnections: config.databasePoolSize,
    // the primary answers in its place
    awaitsServer: false,
    acquireWithinMs: Math.min(CONNECT_WITHIN_MS, config.databaseWaitMs * SHARE_OF_REPLICA),
    statementTimeoutMs: Math.round(config.databaseWaitMs * SHARE_OF_REPLICA),
    settings: { ...databases.forRequests.settings, ...PLANNED_ONCE },
    onIdleError: (err) => log.warn({ err }, 'the replica of the database closed or refused a connection'),
  })
  stack.defer(() => replica.end())
  const positions = openPositions(notifications)
  const counts = { primary: 0, replica: 0 }
  const reads = readsAtReplica({
    primary,
    replica,
    positionOf: positions.of,
    onRead(from) {
      counts[from] += 1
    },
    log,
  })
  return {
    needs: { reads },
    listeners: { [ORGANIZATION_TOLD]: positions.note },
    onNotificationGap: positions.forget,
    measures: () => [
      ...poolMeasures({ replica }),
      ...(['primary', 'replica'] as const).map((from) => ({
        metric: 'database_list_reads_total' as const,
        value: counts[from],
        labels: { from },
      })),
    ],
  }
}
