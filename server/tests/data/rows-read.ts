import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type pg from 'pg'
import { buildApp } from '../../src/compose/app.ts'
import { type Office, openOffice } from '../../src/compose/office.ts'
import { readConfig } from '../../src/configuration/config.ts'
import { searchMembers } from '../../src/directory/members/search-members.ts'
import { makeWorker } from '../../src/platform/background/work-queue.ts'
import type { Db } from '../../src/platform/database/database.ts'
import { trusted } from '../../src/platform/ids.ts'
import { openLog } from '../../src/platform/log.ts'

/** Work that a caller waits for, or that runs by itself: by what it does, once. */
export interface Task {
  name: string
  run(): Promise<unknown>
}

/** How often a task runs before it is measured: by then PostgreSQL has chosen the plan that it keeps. */
const WARM_UP = 6
/** Of pools with a number of connections that is not told. */
const MEDIA_EVENT_CONNECTIONS = 3
/** An organization that is there at every size. */
const ORGANIZATION = trusted.organizationId('7')

/** An office with jobs that run only where they are told to. It listens: the stand-ins of vendors are asked. */
export async function openResting(connectionString: string): Promise<Office & AsyncDisposable> {
  await using stack = new AsyncDisposableStack()
  const dataDir = await mkdtemp(join(tmpdir(), 'atrium-resting-'))
  stack.defer(() => rm(dataDir, { recursive: true, force: true }))
  const settings = { ATRIUM_ENV: 'test', DATA_DIR: dataDir, LOG_LEVEL: 'silent', DATABASE_POOL_SIZE: '3' }
  const config = readConfig(settings, '/nowhere')
  const log = openLog({ level: config.logLevel, forPeople: false })
  const office = await openOffice({ config, log, clock: { now: () => new Date() }, connectionString })
  stack.use(office)
  const app = await buildApp(office, { strictReplies: true, isDraining: () => false })
  stack.defer(() => app.close())
  await app.listen({ port: 0, host: '127.0.0.1' })
  const opened = stack.move()
  return { ...office, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** Every job there is, a look into every work queue, and what people look for most. */
export function tasksOf(office: Office): Task[] {
  const { signal } = new AbortController()
  const { background: db } = office.databases
  const jobs = office.parts
    .flatMap((part) => part.jobs ?? [])
    .map((job) => ({ name: job.name, run: () => job.run(signal) }))
  const queues = office.parts
    .flatMap((part) => part.queues ?? [])
    .map((queue) => {
      const worker = makeWorker(queue, { db, clock: office.clock, log: office.log })
      return { name: `work queue ${queue.name}`, run: () => worker.drain() }
    })
  const search = (name: string, query: string) => ({
    name: `members/list ${name}`,
    run: () => searchMembers(office.needs.db, ORGANIZATION, { query, limit: 20, offset: 0 }),
  })
  return [
    ...jobs.toSorted((one, other) => one.name.localeCompare(other.name)),
    ...queues,
    search('of everybody', ''),
    search('by one letter', 'a'),
    search('by a word', 'person1'),
  ]
}

/** How many rows PostgreSQL reads for a run of each task, by its name, from tables and from indexes alone. */
export async function rowsRead(office: Office, pool: pg.Pool): Promise<Map<string, number>> {
  return await rowsOf(tasksOf(office), office, pool)
}

/** The same of tasks that are given. */
export async function rowsOf(
  tasks: readonly Task[],
  office: Pick<Office, 'databases'>,
  pool: pg.Pool,
): Promise<Map<string, number>> {
  const read = new Map<string, number>()
  for (const { name, run } of tasks) {
    for (let times = 0; times < WARM_UP; times += 1) await run()
    await tellStatistics(office)
    const before = await countRead(pool)
    await run()
    await tellStatistics(office)
    read.set(name, (await countRead(pool)) - before)
  }
  return read
}

async function countRead(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: string }>(
    `select sum(seq_tup_read + greatest(coalesce(idx_tup_fetch, 0), coalesce(from_indexes, 0))) as count
     from pg_stat_user_tables left join lateral (
       select sum(idx_tup_read) as from_indexes from pg_stat_user_indexes i where i.relid = pg_stat_user_tables.relid
     ) on true`,
  )
  return Number(rows[0]?.count)
}

/** Connections tell what they have read once in a while only, unless they are asked to. */
async function tellStatistics({ databases }: Pick<Office, 'databases'>): Promise<void> {
  const { db, background, snapshots, mediaEvents } = databases
  await onEachConnection(db, databases.pool.options.max)
  await onEachConnection(background, databases.backgroundPool.options.max)
  await onEachConnection(snapshots, 1)
  await onEachConnection(mediaEvents, MEDIA_EVENT_CONNECTIONS)
}

async function onEachConnection(db: Db, count: number): Promise<void> {
  const all = Promise.withResolvers<void>()
  let taken = 0
  const ask = () =>
    db.connection().execute(async (connection) => {
      await sql`select pg_stat_force_next_flush()`.execute(connection)
      taken += 1
      // each is given back only when all are taken
      if (taken === count) all.resolve()
      await all.promise
    })
  await Promise.all(Array.from({ length: count }, ask))
}
