import { listOrganizations } from '../../directory/organizations.ts'
import type { Job } from '../../platform/background/jobs.ts'
import { secondsAfter } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { BrokerPort, ConnectionCensus } from '../../ports/broker.ts'
import { type ChangeNeeds, changePresence, type Expected, type PresenceOwner } from './change-presence.ts'
import { findPlaces, listForPoll, type PollRow, readBrokerMemory, writeBrokerMemory } from './poll-store.ts'
import type { Occurrence } from './rules.ts'

export interface PollNeeds extends ChangeNeeds {
  broker: Pick<BrokerPort, 'connectedUsers'>
  log: Pick<Log, 'info' | 'warn'>
}

/** What a round came to. */
export interface PollOutcome {
  /** False: the broker's answer was of no use, nothing was changed for its sake. */
  known: boolean
  /** True: nobody goes offline in this round. */
  quiet: boolean
  cameOnline: number
  wentOffline: number
  removed: number
}

const EVERY_MS = 15_000
/** Rounds in a row in which somebody has no connection before they are offline. */
const MISSES = 2
/** After a sign that the broker may have forgotten connections that stand. */
const QUIET_SECONDS = 60
/** With more organizations than this, those where nobody is there are asked for in turns, each within a minute. */
const ASKED_AT_ONCE = 5_000
const TURNS = 4
/** Changes under way at the same time: as many as the background has connections. */
const PARALLEL_CHANGES = 2

/** The job that brings stored presence in line with the connections that stand. */
export function presenceJobs(needs: PollNeeds): Job[] {
  const round = connectivityPoll(needs)
  return [
    {
      name: 'presence-poll',
      everyMs: EVERY_MS,
      run: async (signal) => {
        const { known, quiet, ...changed } = await round(signal)
        if (!known)
          needs.log.warn('presence poll: the broker cannot say who is connected; nothing is changed')
        else if (Object.values(changed).some((count) => count > 0))
          needs.log.info({ quiet, ...changed }, 'presence poll')
      },
    },
  ]
}

/**
 * Compares, round by round, who is stored as present with who is connected. Misses are remembered by this process
 * only: a new leader begins to count anew, which errs on the side of those who are connected.
 */
export function connectivityPoll(needs: PollNeeds): (signal: AbortSignal) => Promise<PollOutcome> {
  const misses = new Map<string, { count: number; confirmedAt: number }>()
  let turn = 0

  return async (signal) => {
    const rows = await listForPoll(needs.db)
    const gone = rows.filter(({ member }) => !member)
    const removed = await changeAll(needs, signal, each(gone, 'removed'))
    const present = rows.filter(({ member, status }) => member && status !== 'offline')

    turn += 1
    const census = await takeCensus(needs, await organizationsToAsk(needs, present, turn))
    if (!census) {
      misses.clear()
      return { known: false, quiet: true, cameOnline: 0, wentOffline: 0, removed }
    }
    const missing = present.filter((row) => !isConnected(census.connected, row))
    const lost = countMisses(misses, missing).filter(() => !census.quiet)
    const wentOffline = await changeAll(needs, signal, each(lost, 'lost'))
    const arrived = await findPlaces(needs.db, notAmong(census.connected, present))
    const connected = arrived.map((place) => ({ place, occurrence: { kind: 'connected' } as const }))
    const cameOnline = await changeAll(needs, signal, connected)
    return { known: true, quiet: census.quiet, cameOnline, wentOffline, removed }
  }
}

/** Those where somebody is stored as present, always; the others all, or in turns. */
async function organizationsToAsk(needs: PollNeeds, present: readonly PollRow[], turn: number) {
  const occupied = new Set(present.map(({ organization }) => organization.identityId))
  const all = await listOrganizations(needs.db)
  const turns = all.length > ASKED_AT_ONCE ? TURNS : 1
  const inTurn = all.filter(({ identityId }, at) => occupied.has(identityId) || at % turns === turn % turns)
  return inTurn.map(({ identityId }) => identityId)
}

/** Who is connected, and whether an absence means anything. Undefined where the broker cannot say. */
async function takeCensus(
  needs: PollNeeds,
  organizations: Parameters<BrokerPort['connectedUsers']>[0],
): Promise<(ConnectionCensus & { quiet: boolean }) | undefined> {
  const now = needs.clock.now()
  const memory = await readBrokerMemory(needs.db)
  const fromNow = secondsAfter(now, QUIET_SECONDS)
  let census: ConnectionCensus
  try {
    census = await needs.broker.connectedUsers(organizations)
  } catch (err) {
    needs.log.warn({ err }, 'presence poll: the broker did not answer')
    await writeBrokerMemory(needs.db, { ...memory, quietUntil: fromNow })
    return undefined
  }
  const { generation } = census
  if (generation === memory.generation) {
    return { ...census, quiet: memory.quietUntil !== null && now < memory.quietUntil }
  }
  if (memory.generation !== null) {
    needs.log.warn(
      { generation },
      'presence poll: the broker is another one, or has forgotten its connections',
    )
    await writeBrokerMemory(needs.db, { generation, quietUntil: fromNow })
    return { ...census, quiet: true }
  }
  // the first broker of a new database has nothing that it could have forgotten
  await writeBrokerMemory(needs.db, { ...memory, generation })
  return { ...census, quiet: memory.quietUntil !== null && now < memory.quietUntil }
}

/** Counts one more miss for each; answers those who have been missing long enough. Forgets everybody else. */
function countMisses(
  misses: Map<string, { count: number; confirmedAt: number }>,
  missing: readonly PollRow[],
): PollRow[] {
  const before = new Map(misses)
  misses.clear()
  const lost: PollRow[] = []
  for (const row of missing) {
    const key = `${row.organization.id}:${row.user.id}`
    const confirmedAt = row.confirmedAt.getTime()
    const earlier = before.get(key)
    // who has shown up since the last round is missed for the first time
    const count = earlier?.confirmedAt === confirmedAt ? earlier.count + 1 : 1
    misses.set(key, { count, confirmedAt })
    if (count >= MISSES) lost.push(row)
  }
  return lost
}

function isConnected(
  connected: ConnectionCensus['connected'],
  { organization, user }: PresenceOwner,
): boolean {
  return connected.get(organization.identityId)?.has(user.identityId) ?? false
}

/** Those who are connected and not stored as present. */
function notAmong(connected: ConnectionCensus['connected'], present: readonly PresenceOwner[]) {
  const stored = new Set(
    present.map(({ organization, user }) => `${organization.identityId}:${user.identityId}`),
  )
  return [...connected].flatMap(([organization, users]) =>
    [...users]
      .filter((user) => !stored.has(`${organization}:${user}`))
      .map((user) => ({ organization, user })),
  )
}

interface Change {
  place: PresenceOwner
  occurrence: Occurrence
  /** What was read before the broker was asked. */
  expected?: Expected
}

/**
 * One transaction for each: a crowd does not hold each other's rows. What has changed since it was read stays.
 * Answers how many were looked at.
 */
async function changeAll(needs: PollNeeds, signal: AbortSignal, changes: readonly Change[]): Promise<number> {
  let changed = 0
  const queue = changes.values()
  const work = async () => {
    for (const { place, occurrence, expected } of queue) {
      if (signal.aborted) return
      await changePresence(needs, place, occurrence, expected)
      changed += 1
    }
  }
  await Promise.all(Array.from({ length: PARALLEL_CHANGES }, work))
  return changed
}

function each(rows: readonly PollRow[], kind: 'lost' | 'removed'): Change[] {
  return rows.map((row) => ({ place: row, occurrence: { kind }, expected: row }))
}
