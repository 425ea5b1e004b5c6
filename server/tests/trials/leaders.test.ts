import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Jobs, startJobs } from '../../src/platform/background/jobs.ts'
import { openPool } from '../../src/platform/database/database.ts'
import { pause } from '../../src/platform/timing/pause.ts'
import { type FreshDatabase, freshDatabase } from '../fresh-database.ts'
import { recordedLog } from '../recorded-log.ts'
import { until } from '../until.ts'

/** Nodes come, stop and lose their sessions, over and over: each task of the leader is done once, and none is forgotten. */

const NODES = 4
const ROUNDS = 12
const TASKS_A_ROUND = 5

let database: FreshDatabase
let pool: ReturnType<typeof openPool>
const nodes: Jobs[] = []
/** Of each run: begun and ended, in their order. */
const runs: { node: number; at: 'begin' | 'end' }[] = []

beforeAll(async () => {
  database = await freshDatabase()
  pool = openPool({
    connectionString: database.connectionString,
    maxConnections: 4,
    statementTimeoutMs: 60_000,
    onIdleError: () => {},
  })
  await database.pool.query('create table tasks (id serial primary key, times int not null default 0)')
})
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()))
  await pool.end()
  await database.drop()
})

let started = 0
function startNode(): void {
  started += 1
  const node = started
  const run = async (signal: AbortSignal) => {
    runs.push({ node, at: 'begin' })
    try {
      const { rows } = await pool.query<{ id: number }>('select id from tasks where times = 0')
      for (const { id } of rows) {
        // a second leader would have read it too
        await pause(5, signal)
        signal.throwIfAborted()
        await pool.query('update tasks set times = times + 1 where id = $1', [id])
      }
    } finally {
      runs.push({ node, at: 'end' })
    }
  }
  const { log } = recordedLog()
  const jobs = [{ name: 'tasks', everyMs: 20, run }]
  nodes.push(startJobs({ connectionString: database.connectionString, jobs, log }))
}

async function stopLeader(): Promise<void> {
  const leader = nodes.find((node) => node.isLeader())
  expect(leader).toBeDefined()
  nodes.splice(nodes.indexOf(leader as Jobs), 1)
  await leader?.stop()
  startNode()
}

/** As when its machine is gone: the database ends its session. */
async function cutLeader(): Promise<void> {
  const { rowCount } = await database.pool.query(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())`,
  )
  expect(rowCount).toBe(1)
}

it(`${ROUNDS} changes of the leader among ${NODES} nodes: no task is done twice, none is forgotten`, async () => {
  for (let n = 0; n < NODES; n += 1) startNode()
  const leaders = new Set<number>()
  for (let round = 0; round < ROUNDS; round += 1) {
    await until(async () => nodes.filter((node) => node.isLeader()).length === 1)
    await database.pool.query('insert into tasks select from generate_series(1, $1)', [TASKS_A_ROUND])
    await (round % 2 === 0 ? cutLeader() : stopLeader())
    await until(async () => {
      const { rows } = await database.pool.query('select from tasks where times = 0')
      return rows.length === 0
    })
    leaders.add(runs.at(-1)?.node ?? 0)
  }
  const { rows } = await database.pool.query('select times, count(*)::int as tasks from tasks group by times')
  expect(rows).toEqual([{ times: 1, tasks: ROUNDS * TASKS_A_ROUND }])
  expect(leaders.size).toBeGreaterThan(2)
})
