import type { Pool } from '../database/database.ts'
import type { Measure } from './node-page.ts'

export interface PoolMeasure extends Measure {
  metric: 'database_connections' | 'database_connections_waited_for' | 'database_connections_max'
}

export type PoolCounts = Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount'> & {
  options: { max: number }
}

/** What the metrics say of pools, by name. */
export function poolMeasures(pools: Readonly<Record<string, PoolCounts>>): PoolMeasure[] {
  return Object.entries(pools).flatMap(([pool, { totalCount, idleCount, waitingCount, options }]) => [
    { metric: 'database_connections', value: idleCount, labels: { pool, state: 'idle' } },
    { metric: 'database_connections', value: totalCount - idleCount, labels: { pool, state: 'busy' } },
    { metric: 'database_connections_waited_for', value: waitingCount, labels: { pool } },
    { metric: 'database_connections_max', value: options.max, labels: { pool } },
  ])
}
