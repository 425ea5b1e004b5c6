import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { createAtriumClient } from '@atrium/client'
import { connectRealtime, type Realtime } from '@atrium/client/realtime'
import type { ChosenStatus } from '@atrium/contract'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import { eventually } from '../until.ts'
import { type OfficeProcess, type ProcessHarness, postgresOf, signUpAt } from './office-process.ts'
import { layTrail, type PresenceTrail } from './presence-trail.ts'
import {
  expectHeard,
  expectNothingLost,
  makeWriter,
  openWitness,
  showsTheTable,
  type Witness,
  type Writer,
} from './status-writers.ts'

export interface KillOptions {
  rounds: number
  /** Every so many rounds a member leaves while the office is down, and is waited for until they are offline. */
  graceEvery?: number
  onRound?: (figures: Readonly<KillFigures>) => void
}

export interface KillFigures {
  rounds: number
  kills: number
  /** Status changes that were answered 200; all of them are in the table. */
  acknowledged: number
  /** Changes that the office made and died with the answer. */
  unacknowledged: number
  /** Rows of the outbox, one for each visible change. */
  events: number
  /** Rows that left it before a kill, each of them heard by a client that listened. */
  heard: number
  /** People who left while the office was down; each went offline, and all others did not. */
  leavers: number
  /** From the start of the process until it answers; until the reader's picture is the table. */
  slowestStartMs: number
  slowestRecoveryMs: number
  slowestGraceMs: number
}

const WRITERS = 6
const LEAVERS = 2
/** How long people write before the office is killed. */
const WRITING_MS = 1_500
/** Every so many rounds it is killed while clients are still coming back, the database with it, or while it starts. */
const EARLY = { every: 5, withinMs: 600 }
const DATABASE_EVERY = 4
const STARTING = { every: 10, withinMs: 2_000 }
/** Clients wait up to 20 s before they try again. */
const BACK_WITHIN_MS = 90_000
/** 60 s in which a restarted broker proves nothing, three rounds of 15 s, and a busy machine. */
const OFFLINE_WITHIN_MS = 150_000

interface Context {
  processes: ProcessHarness
  settings: Record<string, string>
  folder: string
  trail: PresenceTrail
  writers: Writer[]
  reader: Realtime
  witness: Witness
}

/**
 * An office under writes that is killed at random moments, over and over, and started again on the same data. After
 * each start: what was acknowledged is in the table, what was written to the outbox left it for a listener or is still
 * to leave it, and the client's picture is the table.
 * @throws where any of this does not hold
 */
export async function killOverAndOver(processes: ProcessHarness, options: KillOptions): Promise<KillFigures> {
  const figures = noFigures()
  const folder = await processes.folder()
  const settings = { DATA_DIR: folder, PORT: String(await freePort()) }
  let office = await processes.serve({ settings })
  const people = await gather(office, folder)
  const context: Context = { processes, settings, folder, ...people }
  try {
    await recover(context, figures, performance.now())
    for (let round = 1; round <= options.rounds; round++) {
      office = await playRound(context, office, figures, planOf(round, options))
      figures.rounds = round
      options.onRound?.(figures)
    }
  } finally {
    for (const writer of context.writers) writer.leave()
    context.reader.close()
    context.witness.close()
  }
  assert.deepEqual(await office.stop(), { code: 0, signal: null })
  return figures
}

interface Plan {
  /** Killed while clients are still coming back from the round before. */
  early: boolean
  /** The database is struck by the same blow. */
  withDatabase: boolean
  /** Killed once more while it starts. */
  whileStarting: boolean
  leaving: boolean
  /** Waits until all is well again; not where the next round is an early one. */
  recovering: boolean
}

function planOf(round: number, { rounds, graceEvery }: KillOptions): Plan {
  const leaving = graceEvery !== undefined && round % graceEvery === 0
  const beforeEarly = (round + 1) % EARLY.every === 0
  return {
    early: round % EARLY.every === 0,
    withDatabase: round % DATABASE_EVERY === 0,
    whileStarting: round % STARTING.every === 0,
    leaving,
    recovering: leaving || round === rounds || !beforeEarly,
  }
}

/** Writes, a kill, a start, and what has become of it all. */
async function playRound(
  context: Context,
  office: OfficeProcess,
  figures: KillFigures,
  plan: Plan,
): Promise<OfficeProcess> {
  const { processes, settings, trail, witness, writers } = context
  const since = (await trail.outbox()).newest
  const killedAt = await writeUntilKilled(context, office, plan)
  figures.kills += 1
  if (plan.whileStarting) {
    await killWhileItStarts(context)
    figures.kills += 1
  }
  if (plan.leaving) for (const writer of writers.slice(0, LEAVERS)) writer.leave()

  const began = performance.now()
  const reopened = await processes.serve({ settings })
  figures.slowestStartMs = Math.max(figures.slowestStartMs, performance.now() - began)
  if (!plan.recovering) return reopened
  await recover(context, figures, began)
  // in an early round there is no listener yet
  if (!plan.early) figures.heard += await expectHeard(trail, witness, since, killedAt)
  if (plan.leaving) await expectLeaversOffline(context, figures, began)
  await beginAnew(context)
  return reopened
}

function noFigures(): KillFigures {
  return {
    rounds: 0,
    kills: 0,
    acknowledged: 0,
    unacknowledged: 0,
    events: 0,
    heard: 0,
    leavers: 0,
    slowestStartMs: 0,
    slowestRecoveryMs: 0,
    slowestGraceMs: 0,
  }
}

/** One organization: a founder who reads, and people who write, all of them connected. */
async function gather(office: OfficeProcess, folder: string) {
  const founder = await signUpAt(office.url)
  const { id } = await founder.browser.call('createOrganization', { name: 'Killed' })
  const { inviteLink } = await founder.browser.call('getInviteLink')
  const inviteToken = new URL(inviteLink).searchParams.get('invite_token') ?? ''
  const writers = await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      const guest = await signUpAt(office.url)
      await guest.browser.call('joinOrganization', { inviteToken })
      return await makeWriter(guest.browser)
    }),
  )
  const reader = await connectRealtime(founder.browser)
  const users = writers.map(({ userId }) => userId)
  reader.follow(users)
  const client = createAtriumClient({ baseUrl: office.url, fetch: withCookie(founder.cookie) })
  const { url } = await client.call('mintConnectionToken')
  const token = async () => (await client.call('mintConnectionToken')).token
  const witness = openWitness({ url, token, organization: id, users })
  await eventually('everybody is online', BACK_WITHIN_MS, () =>
    users.every((user) => reader.statusOf(user) === 'online'),
  )
  for (const writer of writers) writer.begin('online')
  const trail = await layTrail(folder)
  return { trail, writers, reader, witness }
}

function withCookie(cookie: () => string): typeof fetch {
  return (input, init) =>
    fetch(input, { ...init, headers: { ...init?.headers, cookie: cookie() } as HeadersInit })
}

async function writeUntilKilled(
  { folder, writers, witness }: Context,
  office: OfficeProcess,
  { early, withDatabase }: Plan,
): Promise<Date> {
  const stop = new AbortController()
  const before = witness.seen.size
  const writing = Promise.all(writers.map((writer) => writer.write(stop.signal)))
  const postgres = withDatabase ? await postgresOf(folder) : undefined
  // an early round has no listener yet
  if (!early) await eventually('something is heard', BACK_WITHIN_MS, () => witness.seen.size > before)
  await pause(Math.random() * (early ? EARLY.withinMs : WRITING_MS))
  const killedAt = new Date()
  office.kill('SIGKILL')
  if (postgres) process.kill(postgres.pid, 'SIGKILL')
  stop.abort()
  await office.ended
  await writing
  return killedAt
}

async function killWhileItStarts({ processes, settings }: Context): Promise<void> {
  const starting = processes.run(['serve'], { settings })
  await pause(Math.random() * STARTING.withinMs)
  starting.kill('SIGKILL')
  await starting.ended
}

/** Waits until the outbox is empty, clients are back and the reader shows the table; then compares it all. */
async function recover({ trail, writers, reader, witness }: Context, figures: KillFigures, began: number) {
  await eventually('the outbox is drained', BACK_WITHIN_MS, async () => (await trail.outbox()).waiting === 0)
  const look = await expectNothingLost(trail, writers)
  for (const name of ['acknowledged', 'unacknowledged', 'events'] as const) figures[name] += look[name]
  await eventually("the reader's picture is the table", BACK_WITHIN_MS, async () =>
    showsTheTable(reader, (await trail.read()).current),
  )
  figures.slowestRecoveryMs = Math.max(figures.slowestRecoveryMs, performance.now() - began)
  await eventually('the witness listens', BACK_WITHIN_MS, () => witness.isListening())
}

/** From here on changes are counted again, and there is a client that hears all of them. */
async function beginAnew({ trail, writers }: Context): Promise<void> {
  await trail.begin()
  const { current } = await trail.read()
  for (const writer of writers) writer.begin(current.get(writer.userId) as ChosenStatus)
}

/** A person without a connection goes offline within the grace, and all others stay; then they come back. */
async function expectLeaversOffline(context: Context, figures: KillFigures, began: number): Promise<void> {
  const { trail, writers, reader } = context
  const before = (await trail.read()).current
  const leavers = writers.slice(0, LEAVERS)
  const gone = new Set(leavers.map(({ userId }) => userId))
  await eventually('who has left is offline', OFFLINE_WITHIN_MS, async () => {
    const { current } = await trail.read()
    for (const [user, status] of current)
      if (!gone.has(user)) assert.equal(status, before.get(user), 'somebody who is connected was moved')
    return [...gone].every((user) => current.get(user) === 'offline')
  })
  figures.slowestGraceMs = Math.max(figures.slowestGraceMs, performance.now() - began)
  figures.leavers += leavers.length
  await eventually('the reader knows', BACK_WITHIN_MS, async () =>
    showsTheTable(reader, (await trail.read()).current),
  )
  for (const leaver of leavers) await leaver.comeBack()
  await eventually('they are back', BACK_WITHIN_MS, async () => {
    const { current } = await trail.read()
    return [...gone].every((user) => current.get(user) === 'online') && showsTheTable(reader, current)
  })
}
