import type { EndedAccess, Ending, EndingCause } from '../../access/sessions/ended-access.ts'
import { findConnectable } from '../../access/sessions/session-store.ts'
import { parseTokenOrigin } from '../../access/sessions/token-origin.ts'
import type { Job } from '../../platform/background/jobs.ts'
import type { Log } from '../../platform/log.ts'
import type { BrokerPort, ConnectionEnding } from '../../ports/broker.ts'
import { type ChangeNeeds, changePlaces } from './change-presence.ts'
import { isConnected } from './jobs.ts'
import { listForEndings, type PollRow, readBrokerMemory } from './poll-store.ts'

export interface EnderNeeds extends ChangeNeeds {
  broker: Pick<BrokerPort, 'connectedUsers' | 'endConnections'>
  log: Pick<Log, 'warn'>
  /** Whether the connections are this node's to close: it holds them, or it is the leader. */
  isOurs: () => boolean
}

export interface ConnectionEnder {
  /**
   * Closes the connections of what has ended, and takes those offline who have no other one. May be told of the same
   * endings again and again: connections that came late are found. Never rejects; one round at a time, and what failed
   * is done with the next one.
   */
  end(endings: readonly Ending[]): Promise<void>
  /** Resolves when no round is going on. */
  settle(): Promise<void>
}

/**
 * By the code a client knows whether to come back: 3014 lets it drop its token and ask for another; 4500 and above are
 * final.
 */
const DISCONNECTS: Record<EndingCause, ConnectionEnding['disconnect']> = {
  'session-ended': { code: 4502, reason: 'session ended' },
  'session-superseded': { code: 3014, reason: 'session replaced' },
  'membership-ended': { code: 4501, reason: 'organization left' },
}

const SWEEP_EVERY_MS = 1_000
/** Of endings in the time that connections may come late. */
const SETTLED_MAX = 100_000
/** The life of a connection token, with what a broker grants beyond it, and some more. */
const LATE_CONNECTIONS_SECONDS = 12 * 60

/**
 * Does again what failed; on the node that closes connections. A broker that checks tokens by itself lets connections in
 * late: then all that has ended is looked at again and again, as long as an earlier token may live.
 */
export function endConnectionsJob(
  ender: ConnectionEnder,
  ended: Pick<EndedAccess, 'recent'>,
  findsLate: boolean,
): Job {
  return {
    name: 'end-connections',
    everyMs: SWEEP_EVERY_MS,
    scope: 'node',
    run: () => ender.end(findsLate ? ended.recent(LATE_CONNECTIONS_SECONDS) : []),
  }
}

export function connectionEnder(needs: EnderNeeds): ConnectionEnder {
  /** The endings after which no presence is left to be looked at. */
  const settled = new Set<string>()
  let working: Promise<void> = Promise.resolve()

  let owed = new Map<string, Ending>()
  const work = async () => {
    const all = [...owed.values()]
    owed = new Map()
    if (all.length === 0 || !needs.isOurs()) return
    try {
      await round(needs, settled, all)
    } catch (err) {
      needs.log.warn({ err }, 'connections of ended sessions could not all be closed: tried again')
      for (const ending of all) owed.set(ending.id, ending)
    }
  }

  return {
    end(endings) {
      // those of many who are told of one by one wait together for the round that is going on
      for (const ending of endings) owed.set(ending.id, ending)
      working = working.then(work)
      return working
    },
    settle: () => working,
  }
}

async function round(needs: EnderNeeds, settled: Set<string>, endings: readonly Ending[]): Promise<void> {
  const due = endings.filter(({ id }) => !settled.has(id))
  const rows = await rowsOf(needs, due)
  const wanted = await wantedEndings(needs, endings)
  const closed = await needs.broker.endConnections(wanted)
  const found = new Set(endings.filter((_, at) => closed.has(wanted[at] as ConnectionEnding)))
  await changePlaces(
    needs,
    { kind: 'removed' },
    rows.filter(({ member }) => !member),
  )
  const open = await takeOffline(
    needs,
    rows.filter(({ member, status }) => member && status !== 'offline'),
  )
  // connections that this round ended may still be counted, or were not looked at: the next round does
  const isSettled = (ending: Ending) => !found.has(ending) || (due.includes(ending) && !isAmong(open, ending))
  for (const ending of endings) {
    if (isSettled(ending)) settled.add(ending.id)
    else settled.delete(ending.id)
  }
  forgetOldest(settled, SETTLED_MAX)
}

/** What is stored of the people, before the broker is asked: what changes meanwhile stays. */
async function rowsOf({ db }: EnderNeeds, endings: readonly Ending[]): Promise<PollRow[]> {
  const places = endings.flatMap(({ organization, user }) =>
    organization ? [{ organization: organization.id, user: user.id }] : [],
  )
  return await listForEndings(db, places)
}

async function wantedEndings(
  { db, clock }: EnderNeeds,
  endings: readonly Ending[],
): Promise<ConnectionEnding[]> {
  const users = [...new Set(endings.map(({ user }) => user.id))]
  const connectable = await findConnectable(db, users, clock.now())
  return endings.map((ending) => ({
    organization: ending.organization?.identityId ?? null,
    user: ending.user.identityId,
    isOf: (info) => isOf(ending, info),
    ofAll: !connectable.has(ending.user.id),
    disconnect: DISCONNECTS[ending.cause],
  }))
}

function isOf({ sessionId, membershipGeneration }: Ending, info: unknown): boolean {
  const origin = parseTokenOrigin(info)
  return origin !== undefined && (origin.sid === sessionId || origin.membership === membershipGeneration)
}

/** Those who have no connection are offline. @returns those who have one */
async function takeOffline(needs: EnderNeeds, rows: readonly PollRow[]): Promise<PollRow[]> {
  if (rows.length === 0) return []
  const organizations = [...new Set(rows.map(({ organization }) => organization.identityId))]
  const { connected, generation } = await needs.broker.connectedUsers(organizations)
  const memory = await readBrokerMemory(needs.db)
  const isQuiet = memory.quietUntil !== null && needs.clock.now() < memory.quietUntil
  const mayHaveForgotten = memory.generation !== null && memory.generation !== generation
  // an absence proves nothing: the poll decides later
  if (isQuiet || mayHaveForgotten) return []
  await changePlaces(
    needs,
    { kind: 'lost' },
    rows.filter((row) => !isConnected(connected, row)),
  )
  return rows.filter((row) => isConnected(connected, row))
}

function forgetOldest(ids: Set<string>, max: number): void {
  for (const id of ids) {
    if (ids.size <= max) return
    ids.delete(id)
  }
}

function isAmong(rows: readonly PollRow[], { organization, user }: Ending): boolean {
  return rows.some((row) => row.organization.id === organization?.id && row.user.id === user.id)
}
