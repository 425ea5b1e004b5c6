import type { Job } from '../../platform/background/jobs.ts'
import type { Db } from '../../platform/database/database.ts'
import { type Ending, listEndings, parseEnding } from './ended-access-store.ts'
import type { TokenOrigin } from './token-origin.ts'

export type { Ending, EndingCause } from './ended-access-store.ts'

/** The sessions and memberships that have ended lately, as this node knows them: asked for every token that is shown. */
export interface EndedAccess {
  /** Whether what a token was minted from has ended. Ask only after `current`. */
  has(origin: TokenOrigin): boolean
  /** Resolves when what is known is at most ten seconds old; undefined: it is. Rejects where the database cannot be asked. */
  current(): Promise<void> | undefined
  /** What has ended within so many seconds, as far as this node knows. */
  recent(withinSeconds: number): Ending[]
  /** Called with what this node has just learned of. */
  onEnded(listener: (endings: readonly Ending[]) => void): void
  /** The payload of a notification `access_ended`. */
  hear(payload: string): void
  /** Asks the database: notifications may have been missed. */
  refresh(): Promise<void>
}

/** No token lives longer than this: what ended earlier is forgotten. Clocks may differ by some minutes. */
const REMEMBERED_SECONDS = 65 * 60
/** The bound that holds even where a notification was lost without a sign of it. */
const CURRENT_WITHIN_MS = 10_000
const REFRESH_EVERY_MS = 5_000
/** A transaction may commit so long after its rows were written. */
const COMMITTED_WITHIN_SECONDS = 120

interface Known {
  ending: Ending
  /** Milliseconds of a clock that only goes forward. */
  heardAt: number
}

/** What is remembered, for the functions below. */
interface Memory {
  /** In the order of hearing: the oldest are first. */
  readonly known: Map<string, Known>
  readonly sessions: Set<string>
  readonly memberships: Set<string>
  readonly listeners: ((endings: readonly Ending[]) => void)[]
}

/** Kept current by notifications, and by asking every few seconds; a token costs no query. */
export function rememberEndedAccess(db: Db): EndedAccess {
  const memory: Memory = { known: new Map(), sessions: new Set(), memberships: new Set(), listeners: [] }
  const { known, sessions, memberships, listeners } = memory
  let askedAt: number | undefined
  let asking: Promise<void> | undefined
  const ask = async () => {
    const startedAt = performance.now()
    const sinceLast = askedAt === undefined ? REMEMBERED_SECONDS : (startedAt - askedAt) / 1_000
    const within = Math.min(REMEMBERED_SECONDS, sinceLast + COMMITTED_WITHIN_SECONDS)
    take(memory, await listEndings(db, within))
    askedAt = startedAt
    forgetOld(memory)
  }
  const refresh = () => {
    asking ??= ask().finally(() => {
      asking = undefined
    })
    return asking
  }

  return {
    has: ({ sid, membership }) => sessions.has(sid) || memberships.has(membership),
    current() {
      const isCurrent = askedAt !== undefined && performance.now() - askedAt < CURRENT_WITHIN_MS
      return isCurrent ? undefined : refresh()
    },
    recent(withinSeconds) {
      const since = performance.now() - withinSeconds * 1_000
      return [...known.values()].filter(({ heardAt }) => heardAt > since).map(({ ending }) => ending)
    },
    onEnded: (listener) => void listeners.push(listener),
    hear: (payload) => take(memory, [parseEnding(payload)]),
    refresh,
  }
}

function take({ known, sessions, memberships, listeners }: Memory, endings: readonly Ending[]): void {
  const heardAt = performance.now()
  const fresh = endings.filter(({ id }) => !known.has(id))
  for (const ending of fresh) {
    known.set(ending.id, { ending, heardAt })
    if (ending.sessionId !== null) sessions.add(ending.sessionId)
    if (ending.membershipGeneration !== null) memberships.add(ending.membershipGeneration)
  }
  if (fresh.length > 0) for (const listener of listeners) listener(fresh)
}

function forgetOld({ known, sessions, memberships }: Memory): void {
  const before = performance.now() - REMEMBERED_SECONDS * 1_000
  for (const [id, { ending, heardAt }] of known) {
    if (heardAt > before) break
    known.delete(id)
    if (ending.sessionId !== null) sessions.delete(ending.sessionId)
    if (ending.membershipGeneration !== null) memberships.delete(ending.membershipGeneration)
  }
}

/** The job that finds what no notification has told. On every node. */
export function endedAccessJob(ended: Pick<EndedAccess, 'refresh'>): Job {
  return { name: 'find-ended-access', everyMs: REFRESH_EVERY_MS, scope: 'node', run: () => ended.refresh() }
}
