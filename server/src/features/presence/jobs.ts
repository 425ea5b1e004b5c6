import type { Job } from '../../platform/background/jobs.ts'
import { secondsAfter } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { BrokerPort, ConnectionCensus } from '../../ports/broker.ts'
import { type ChangeNeeds, changePlaces, type PresenceOwner } from './change-presence.ts'
import {
  findPlaces,
  leftoverSearch,
  listPresent,
  type PollRow,
  readBrokerMemory,
  writeBrokerMemory,
} from './poll-store.ts'

export interface PollNeeds extends ChangeNeeds {
  broker: Pick<BrokerPort, 'connectedUsers' | 'occupiedOrganizations'>
  log: Pick<Log, 'info' | 'warn'>
}

/** What a round came to. */
export interface PollOutcome {
  /** False: the broker's answer was of no use, nothing was changed for its sake. */
  known: boolean
  /** True: members stay online through this round. */
  quiet: boolean
  cameOnline: number
  wentOffline: number
  removed: number
}

const EVERY_MS = 15_000
/** Rounds in a row without a connection after which a member is offline. */
const MISSES = 2
/** After a sign that the broker may have forgotten connections that stand. */
const QUIET_SECONDS = 60

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
 * only: a new leader begins to count again, which errs on the side of those who are connected.
 */
export function connectivityPoll(needs: PollNeeds): (signal: AbortSignal) => Promise<PollOutcome> {
  const misses = new Map<string, { count: number; confirmedAt: number }>()
  const findLeftovers = leftoverSearch(needs.db)

  return async (signal) => {
    const rows = await listPresent(needs.db)
    const gone = [...rows.filter(({ member }) => !member), ...(await findLeftovers())]
    const removed = await changePlaces(needs, { kind: 'removed' }, gone, signal)
    const present = rows.filter(({ member }) => member)

    const census = await takeCensus(needs, await organizationsToAsk(needs, present))
    if (!census) {
      misses.clear()
      return { known: false, quiet: true, cameOnline: 0, wentOffline: 0, removed }
    }
    const missing = present.filter((row) => !isConnected(census.connected, row))
    const lost = countMisses(misses, missing).filter(() => !census.quiet)
    const wentOffline = await changePlaces(needs, { kind: 'lost' }, lost, signal)
    const arrived = await findPlaces(needs.db, notAmong(census.connected, present))
    const cameOnline = await changePlaces(needs, { kind: 'connected' }, arrived, signal)
    return { known: true, quiet: census.quiet, cameOnline, wentOffline, removed }
  }
}

/** Organizations with members who are stored as present, and those with connections at the broker. */
async function organizationsToAsk({ broker, log }: PollNeeds, present: readonly PollRow[]) {
  const occupied = await broker.occupiedOrganizations().catch((err: unknown) => {
    // members who are stored as present can be asked about all the same
    log.warn({ err }, 'presence poll: the broker did not say in which organizations somebody is')
    return []
  })
  return [...new Set([...present.map(({ organization }) => organization.identityId), ...occupied])]
}

/** Who is connected, and whether an absence means anything. Undefined where the broker cannot say. */
export async function takeCensus(
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
    needs.log.warn({ err }, 'presence: the broker did not say who is connected')
    await writeBrokerMemory(needs.db, { ...memory, quietUntil: fromNow })
    return undefined
  }
  const { generation } = census
  if (generation === memory.generation) {
    return { ...census, quiet: memory.quietUntil !== null && now < memory.quietUntil }
  }
  if (memory.generation !== null) {
    needs.log.warn({ generation }, 'presence: the broker is another one, or has forgotten its connections')
    await writeBrokerMemory(needs.db, { generation, quietUntil: fromNow })
    return { ...census, quiet: true }
  }
  // the first broker of a new database has nothing that it could have forgotten
  await writeBrokerMemory(needs.db, { ...memory, generation })
  return { ...census, quiet: memory.quietUntil !== null && now < memory.quietUntil }
}

/** Counts one more miss for each; answers those who have been missing long enough. Forgets all others. */
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

/** Whether the broker has a connection of a member in an organization. */
export function isConnected(
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
