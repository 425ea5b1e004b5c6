import type { Pool } from '../../platform/database/database.ts'
import type { NodeMeasure } from '../part.ts'

/** What the metrics say of pools, by name. */
export function poolMeasures(pools: Readonly<Record<string, PoolCounts>>): NodeMeasure[] {
  return Object.entries(pools).flatMap(([pool, { totalCount, idleCount, waitingCount, options }]) => [
    { metric: 'database_connections', value: idleCount, labels: { pool, state: 'idle' } },
    { metric: 'database_connections', value: totalCount - idleCount, labels: { pool, state: 'busy' } },
    { metric: 'database_connections_waited_for', value: waitingCount, labels: { pool } },
    { metric: 'database_connections_max', value: options.max, labels: { pool } },
  ])
}

export type PoolCounts = Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount'> & {
  options: { max: number }
}
