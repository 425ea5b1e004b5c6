import { keepSessionLock } from '../database/session-lock.ts'
import { type Leadership, LeadershipLost, withinLeadership } from '../leadership.ts'
import type { Log } from '../log.ts'
import { pause, settledWithin } from '../timing/pause.ts'

export interface Job {
  /** Kebab-case, unique. */
  name: string
  /** From the start of one run to the start of the next, in milliseconds; a run that takes longer delays the next. */
  everyMs: number
  /** `leader` (default): on one node at a time. `node`: on every node. */
  scope?: 'leader' | 'node'
  /**
   * One run. It never overlaps itself on this node. When `signal` is aborted (leadership lost, shutting down)
   * it ends soon: another node may already be at it, so leader jobs must also stand a short overlap. A run of the leader's
   * gets no connection of a pool from then on.
   */
  run(signal: AbortSignal): Promise<void>
}

export interface JobsOptions {
  /** See `keepConnection`: no pooler in transaction mode. */
  connectionString: string
  jobs: readonly Job[]
  /** Where true, the first run of a job is one period after the start, and not within a second. */
  firstRunsWait?: boolean
  log: JobLog
}

export interface Jobs {
  /**
   * Runs a job now, after the run that may be going on. Rejects with what the run threw, and where it is a
   * leader's job and this node is not the leader.
   */
  runNow(name: string): Promise<void>
  isLeader(): boolean
  /** What became of the runs so far; those that were interrupted are not counted. */
  tallies(): ReadonlyMap<string, Readonly<JobTally>>
  /** Aborts what runs, waits for it up to 10 s, then gives the leadership away. */
  stop(): Promise<void>
}

export interface JobTally {
  ok: number
  failed: number
  /** Of both. */
  seconds: number
}

type JobLog = Pick<Log, 'info' | 'warn' | 'error'>

const LEADER_LOCK = 1
const FIRST_RUN_WITHIN_MS = 1_000
const STOP_WITHIN_MS = 10_000

/**
 * Runs jobs in the background. The nodes on one database choose a leader by a session lock; when it stops,
 * dies or is cut off, another takes over within about 5 s.
 */
export function startJobs({ connectionString, jobs, firstRunsWait = false, log }: JobsOptions): Jobs {
  const runners = new Map(jobs.map((job) => [job.name, makeRunner(job, log, firstRunsWait)]))
  const ofScope = (scope: Job['scope']) =>
    [...runners.values()].filter(({ job }) => (job.scope ?? 'leader') === scope)
  const stopping = new AbortController()
  let leading: AbortSignal = AbortSignal.abort()
  let leadership: Leadership = { isSure: () => false }

  const lead = (lost: AbortSignal, isSure: () => boolean) => {
    leadership = { isSure }
    leading = AbortSignal.any([lost, stopping.signal])
    log.info('leader of the jobs')
    lost.addEventListener('abort', () => log.info('no longer leader of the jobs'))
    for (const runner of ofScope('leader')) runner.start(leading, leadership)
  }
  const lock = keepSessionLock({
    connectionString,
    name: 'atrium jobs',
    number: LEADER_LOCK,
    log,
    isWanted: () => !stopping.signal.aborted,
    onWon: lead,
  })
  for (const runner of ofScope('node')) runner.start(stopping.signal)

  const runNow = async (name: string) => {
    const runner = runners.get(name)
    if (!runner) throw new Error(`there is no job ${name}`)
    const signal = runner.job.scope === 'node' ? stopping.signal : leading
    if (signal.aborted) throw new Error(`the job ${name} does not run on this node now`)
    await runner.runOnce(signal, runner.job.scope === 'node' ? undefined : leadership)
  }
  const stop = async () => {
    stopping.abort(new Error('shutting down'))
    const settling = Promise.all([...runners.values()].map((runner) => runner.settled()))
    if ((await settledWithin(STOP_WITHIN_MS, settling)) === undefined) {
      const names = [...runners.values()].filter((runner) => runner.isRunning()).map(({ job }) => job.name)
      log.warn({ jobs: names }, 'jobs did not end in time')
    }
    await lock.close()
  }
  const tallies = () => new Map([...runners].map(([name, runner]) => [name, runner.tally]))
  return { runNow, isLeader: () => !leading.aborted, tallies, stop }
}

interface Runner {
  job: Job
  tally: Readonly<JobTally>
  /** Runs the job again and again until `signal` is aborted. */
  start(signal: AbortSignal, leadership?: Leadership): void
  /** One run after any present one. Rejects with what it threw. */
  runOnce(signal: AbortSignal, leadership?: Leadership): Promise<void>
  isRunning(): boolean
  /** Resolves when no run is going on. */
  settled(): Promise<void>
}

function makeRunner(job: Job, log: JobLog, firstRunWaits: boolean): Runner {
  let last: Promise<void> = Promise.resolve()
  let running = false
  const tally: JobTally = { ok: 0, failed: 0, seconds: 0 }

  const run = async (signal: AbortSignal, leadership?: Leadership) => {
    if (signal.aborted) return
    running = true
    const startedAt = performance.now()
    try {
      if (leadership) await withinLeadership(leadership, () => job.run(signal))
      else await job.run(signal)
      tally.ok += 1
    } catch (err) {
      const interrupted = signal.aborted || err instanceof LeadershipLost
      if (!interrupted) tally.failed += 1
      if (interrupted) log.info({ job: job.name }, 'job interrupted')
      else log.error({ err, job: job.name }, 'job failed')
      throw err
    } finally {
      running = false
      tally.seconds += (performance.now() - startedAt) / 1_000
    }
  }
  const runOnce = (signal: AbortSignal, leadership?: Leadership) => {
    const mine = last.then(() => run(signal, leadership))
    last = mine.catch(() => {})
    return mine
  }
  const repeat = async (signal: AbortSignal, leadership?: Leadership) => {
    const soon = Math.random() * Math.min(job.everyMs, FIRST_RUN_WITHIN_MS)
    await pause(firstRunWaits ? job.everyMs : soon, signal)
    while (!signal.aborted) {
      const startedAt = performance.now()
      await runOnce(signal, leadership).catch(() => {})
      await pause(Math.max(0, job.everyMs - (performance.now() - startedAt)), signal)
    }
  }
  return {
    ...{ job, tally },
    start: (signal, leadership) => void repeat(signal, leadership),
    runOnce,
    isRunning: () => running,
    settled: () => last,
  }
}
