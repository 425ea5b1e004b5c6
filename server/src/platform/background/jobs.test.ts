import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../tests/fresh-database.ts'
import { recordedLog } from '../../../tests/recorded-log.ts'
import { openTcpGate } from '../../../tests/run/tcp-gate.ts'
import { openPool } from '../database/database.ts'
import { LeadershipLost } from '../leadership.ts'
import { pause } from '../timing/pause.ts'
import { type Job, type Jobs, type JobsOptions, startJobs } from './jobs.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

const open: Jobs[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((jobs) => jobs.stop()))
})

const soon = { timeout: 240_000, interval: 20 }
const never = 3_600_000

function start(
  jobs: Job[],
  { connectionString = database.connectionString, ...options }: Partial<JobsOptions> = {},
) {
  const { log, lines } = recordedLog()
  const started = startJobs({ ...options, connectionString, jobs, log })
  open.push(started)
  return Object.assign(started, { lines })
}

/** Kills the session that holds the lock. Answers whether there was one. */
async function cutLeader(): Promise<boolean> {
  const { rowCount } = await database.pool.query(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted
     and database = (select oid from pg_database where datname = current_database())`,
  )
  return rowCount === 1
}

describe('jobs', () => {
  it('of the leader run on one of two nodes, those of each node on both', async () => {
    const runs: string[] = []
    const nodes = ['a', 'b'].map((node) =>
      start([
        { name: 'one', everyMs: 30, run: async () => void runs.push(`${node} leads`) },
        { name: 'all', everyMs: 30, scope: 'node', run: async () => void runs.push(`${node} works`) },
      ]),
    )
    await vi.waitFor(() => {
      expect(runs).toEqual(expect.arrayContaining(['a works', 'b works']))
      expect(runs.filter((run) => run.endsWith('leads')).length).toBeGreaterThan(5)
    }, soon)
    expect(new Set(runs.filter((run) => run.endsWith('leads'))).size).toBe(1)
    expect(nodes.filter((node) => node.isLeader())).toHaveLength(1)
  })

  it('run within a second of the start, or a period later where they are to wait', async () => {
    const firstRun = async (everyMs: number, firstRunsWait: boolean) => {
      const began = performance.now()
      const ran = Promise.withResolvers<number>()
      const run = async () => ran.resolve(performance.now() - began)
      start([{ name: 'first', everyMs, scope: 'node', run }], { firstRunsWait })
      return await ran.promise
    }
    const [atOnce, later] = await Promise.all([firstRun(never, false), firstRun(1_200, true)])
    // a timer may fire a millisecond early
    expect(later).toBeGreaterThan(1_198)
    expect(atOnce).toBeLessThan(never)
  })

  it('are taken over when the leader stops', async () => {
    const first = start([])
    await vi.waitFor(() => expect(first.isLeader()).toBe(true), soon)
    const second = start([])
    await first.stop()
    expect(first.isLeader()).toBe(false)
    await vi.waitFor(() => expect(second.isLeader()).toBe(true), soon)
  })

  it('are aborted when the leader’s connection is cut, and go on on one node', async () => {
    const aborted: string[] = []
    const working = new Set<string>()
    const job = (node: string): Job => ({
      name: 'long',
      everyMs: 10,
      run: async (signal) => {
        working.add(node)
        await pause(never, signal)
        working.delete(node)
        aborted.push(node)
        throw new Error('interrupted')
      },
    })
    const nodes = { a: start([job('a')]), b: start([job('b')]) }
    await vi.waitFor(() => expect(working.size).toBe(1), soon)
    const [leader] = [...working] as ['a' | 'b']
    expect(await cutLeader()).toBe(true)
    await vi.waitFor(() => expect(aborted).toEqual([leader]), soon)
    await vi.waitFor(() => expect(working.size).toBe(1), soon)
    expect([nodes.a.isLeader(), nodes.b.isLeader()].filter(Boolean)).toHaveLength(1)
    expect(nodes[leader].lines.map((line) => line.msg)).toContain('job interrupted')
  })

  it('of a leader that was cut off write nothing more, even where they heed no signal', async () => {
    const gate = await openTcpGate(database.connectionString)
    await database.pool.query('create table written (node text, at timestamptz default clock_timestamp())')
    const pool = openPool({
      ...{ connectionString: database.connectionString, maxConnections: 1 },
      ...{ statementTimeoutMs: 5_000, onIdleError: () => {} },
    })
    let [refused, over] = [0, false]
    const deaf = (node: string): Job => ({
      name: 'deaf',
      everyMs: 10,
      run: async () => {
        while (!over) {
          await pool.query('insert into written (node) values ($1)', [node]).catch((error: unknown) => {
            expect(error).toBeInstanceOf(LeadershipLost)
            refused += 1
          })
          await pause(20)
        }
      },
    })
    const rowsOf = async (node: string) =>
      (await database.pool.query('select at from written where node = $1 order by at', [node])).rows
    try {
      start([deaf('stale')], { connectionString: gate.url })
      await vi.waitFor(async () => expect((await rowsOf('stale')).length).toBeGreaterThan(3), soon)
      start([deaf('next')])
      gate.freeze()
      await vi.waitFor(async () => expect((await rowsOf('next')).length).toBeGreaterThan(3), soon)
      await vi.waitFor(() => expect(refused).toBeGreaterThan(3), soon)
      const [{ at: takenOver }] = (await rowsOf('next')) as [{ at: Date }]
      expect((await rowsOf('stale')).filter(({ at }) => at >= takenOver)).toEqual([])
    } finally {
      over = true
      await Promise.all(open.splice(0).map((jobs) => jobs.stop()))
      await pool.end()
      await gate.close()
    }
  })

  it('leave a leader that the network cut off, which stops by itself before another takes over', async () => {
    const gate = await openTcpGate(database.connectionString)
    const working = new Set<string>()
    let together = 0
    const job = (node: string): Job => ({
      name: 'long',
      everyMs: 10,
      run: async (signal) => {
        working.add(node)
        together = Math.max(together, working.size)
        await pause(never, signal)
        working.delete(node)
      },
    })
    const cutOff = start([job('cut off')], { connectionString: gate.url })
    await vi.waitFor(() => expect([...working]).toEqual(['cut off']), soon)
    const other = start([job('other')])
    gate.freeze()
    await vi.waitFor(() => expect([...working]).toEqual(['other']), soon)
    expect(together).toBe(1)
    expect([cutOff.isLeader(), other.isLeader()]).toEqual([false, true])
    await Promise.all([cutOff.stop(), other.stop()])
    await gate.close()
  })

  it('run again after one threw, which is logged', async () => {
    let runs = 0
    const run = async () => {
      runs += 1
      if (runs === 1) throw new Error('the first time')
    }
    const jobs = start([{ name: 'shaky', everyMs: 20, run }])
    await vi.waitFor(() => expect(runs).toBeGreaterThan(2), soon)
    const failures = jobs.lines.filter((line) => line.msg === 'job failed')
    expect(failures).toEqual([expect.objectContaining({ job: 'shaky' })])
  })

  it('never overlap themselves, not even when asked to run now', async () => {
    let running = 0
    let most = 0
    let runs = 0
    const run = async () => {
      most = Math.max(most, ++running)
      await pause(20)
      running -= 1
      runs += 1
    }
    const jobs = start([{ name: 'slow', everyMs: 1, run }])
    await vi.waitFor(() => expect(jobs.isLeader()).toBe(true), soon)
    const before = runs
    await Promise.all([jobs.runNow('slow'), jobs.runNow('slow'), jobs.runNow('slow')])
    expect(runs - before).toBeGreaterThanOrEqual(3)
    expect(most).toBe(1)
  })

  it('answer to the leader that runs them now', async () => {
    const jobs = start([
      { name: 'failing', everyMs: never, run: () => Promise.reject(new Error('no luck')) },
      { name: 'fine', everyMs: never, scope: 'node', run: async () => {} },
    ])
    await jobs.runNow('fine')
    await expect(jobs.runNow('other')).rejects.toThrow('there is no job other')
    await vi.waitFor(() => expect(jobs.isLeader()).toBe(true), soon)
    await expect(jobs.runNow('failing')).rejects.toThrow('no luck')
    const second = start([{ name: 'failing', everyMs: never, run: async () => {} }])
    await expect(second.runNow('failing')).rejects.toThrow('does not run on this node now')
  })

  it('are waited for by stop, which frees the lock afterwards', async () => {
    let ended = false
    let begun = false
    const run = async (signal: AbortSignal) => {
      begun = true
      await pause(never, signal)
      await pause(200)
      ended = true
    }
    const jobs = start([{ name: 'tidy', everyMs: 10, run }])
    await vi.waitFor(() => expect(begun).toBe(true), soon)
    await jobs.stop()
    expect(ended).toBe(true)
    await expect(jobs.runNow('tidy')).rejects.toThrow()
    expect(await cutLeader()).toBe(false)
  })

  it('that belong to each node run without a database', async () => {
    let runs = 0
    const run = async () => {
      runs += 1
    }
    start([{ name: 'all', everyMs: 10, scope: 'node', run }], {
      connectionString: 'postgres://nobody@127.0.0.1:1/none',
    })
    await vi.waitFor(() => expect(runs).toBeGreaterThan(2), soon)
  })
})
