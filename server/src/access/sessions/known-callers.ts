import { type Clock, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { sentAgain } from '../../platform/database/database-errors.ts'
import { trusted } from '../../platform/ids.ts'
import { type BoundedCache, boundedCache } from '../../platform/limits/bounded-cache.ts'
import type { Log } from '../../platform/log.ts'
import { hashToken } from '../../platform/secrets/secret.ts'
import { type Unawaited, unawaited } from '../../platform/timing/unawaited.ts'
import type { SignedInCaller, Visitor } from '../caller.ts'
import { REPLACED_SECONDS, SESSION_IDLE_SECONDS } from './session-rules.ts'
import { findReplacement, findSession, type SessionRow, touchSession } from './session-store.ts'

/** What is known of a session, without the request it came with. */
export type KnownCaller = Omit<SignedInCaller, keyof Visitor>

export interface KnownCallers {
  /** The caller of a session cookie, at once where it is remembered; undefined where it is unknown, expired or revoked. */
  find(token: string): Promise<KnownCaller | undefined> | KnownCaller | undefined
  /** The caller of a session that was replaced within the last five seconds: as who it goes on. Never remembered. */
  findReplacement(token: string): Promise<KnownCaller | undefined>
  /** Forgets one person, or with `organization:<id>` all of an organization: the payload of the notification. */
  forget(changed: string): void
  /** Forgets all callers: notifications may have been missed. */
  forgetAll(): void
  /** How often a caller was remembered, and how often not. */
  lookups(): { hits: number; misses: number }
  /** Waits for what goes on in the background. */
  settle(): Promise<void>
}

export interface KnownCallersNeeds {
  db: Db
  clock: Clock
  log: Log
  /** Whether news of changes reach this node; while not, nothing is remembered. */
  isNotified: () => boolean
}

interface Entry {
  caller: KnownCaller
  /** Subjects with changes that concern it, as notifications name them. */
  subjects: readonly string[]
  /** How many changes had been told of when it was read. */
  asOf: number
  staleAt: number
  expiresAt: number
}

const ENTRIES_MAX = 20_000
/** The bound that holds even where a notification was lost without a sign of it. */
const STALE_AFTER_SECONDS = 10
const TOUCH_EVERY_SECONDS = 5 * 60
const TOKEN_LENGTH_MAX = 128

/** What this node remembers. */
interface Memory {
  readonly needs: KnownCallersNeeds
  readonly entries: BoundedCache<string, Entry>
  readonly touching: Unawaited
  changes: number
  /** The number of the last change of each person and organization that one was told of. */
  readonly changed: Map<string, number>
  /** What was read before that is no longer remembered. */
  forgottenAt: number
}

/**
 * The callers that this node has seen lately, so that a request with a session costs no query of its own.
 * The database says when one of them changed (`schema.sql` beside this file).
 */
export function rememberCallers(needs: KnownCallersNeeds): KnownCallers {
  const entries = boundedCache<string, Entry>(ENTRIES_MAX)
  const touching = unawaited()
  const memory: Memory = { needs, entries, touching, changes: 0, changed: new Map(), forgottenAt: 0 }
  const lookups = { hits: 0, misses: 0 }
  return {
    find(token) {
      if (token.length > TOKEN_LENGTH_MAX) return undefined
      const now = needs.clock.now()
      const entry = entries.get(token)
      if (entry && isFresh(memory, entry, now) && needs.isNotified()) {
        lookups.hits += 1
        return entry.caller
      }
      lookups.misses += 1
      entries.delete(token)
      return lookUp(memory, token, now)
    },
    async findReplacement(token) {
      if (token.length > TOKEN_LENGTH_MAX) return undefined
      const now = needs.clock.now()
      const since = secondsAfter(now, -REPLACED_SECONDS)
      const row = await findReplacement(needs.db, hashToken(token), since)
      if (!row || row.idleExpiresAt <= now || row.absoluteExpiresAt <= now) return undefined
      const caller = toCaller(row)
      return { ...caller, session: { ...caller.session, askedByEarlierId: true } }
    },
    forget(subject) {
      memory.changes += 1
      memory.changed.set(subject, memory.changes)
      // remembered for as long as what they concern
      if (memory.changed.size > ENTRIES_MAX) forgetAll(memory)
    },
    forgetAll: () => forgetAll(memory),
    lookups: () => lookups,
    settle: touching.settle,
  }
}

// a caller that changed while it was read may have been read too early: answered then, and read again
function isFresh({ changed }: Memory, { subjects, asOf, staleAt, expiresAt }: Entry, now: Date): boolean {
  const moment = now.getTime()
  const isCurrent = () => subjects.every((subject) => (changed.get(subject) ?? 0) <= asOf)
  return moment < staleAt && moment < expiresAt && isCurrent()
}

async function lookUp(memory: Memory, token: string, now: Date): Promise<KnownCaller | undefined> {
  const { needs, entries, changes: changesBefore } = memory
  const row = await sentAgain(() => findSession(needs.db, hashToken(token)))
  if (!row || row.idleExpiresAt <= now || row.absoluteExpiresAt <= now) return undefined
  const idleExpiresAt = touchWhenDue(memory, row, now)
  const caller = toCaller(row)
  if (changesBefore >= memory.forgottenAt && needs.isNotified()) {
    entries.set(token, {
      caller,
      subjects: [row.userId, ...(row.organizationId === null ? [] : [`organization:${row.organizationId}`])],
      asOf: changesBefore,
      staleAt: secondsAfter(now, STALE_AFTER_SECONDS).getTime(),
      expiresAt: Math.min(idleExpiresAt.getTime(), row.absoluteExpiresAt.getTime()),
    })
  }
  return caller
}

/** @returns when it ends where it is not used */
function touchWhenDue({ needs, touching }: Memory, row: SessionRow, now: Date): Date {
  if (secondsAfter(row.lastSeenAt, TOUCH_EVERY_SECONDS) > now) return row.idleExpiresAt
  const idleExpiresAt = secondsAfter(now, SESSION_IDLE_SECONDS)
  touching.begin(touchSession(needs.db, row, now, idleExpiresAt), (error) =>
    needs.log.warn({ err: error }, 'a session could not be prolonged'),
  )
  return idleExpiresAt
}

function forgetAll(memory: Memory): void {
  memory.changes += 1
  memory.forgottenAt = memory.changes
  memory.entries.clear()
  memory.changed.clear()
}

function toCaller(row: SessionRow): KnownCaller {
  const { organizationId, organizationIdentityId, role, membershipGeneration } = row
  const active =
    organizationId !== null &&
    organizationIdentityId !== null &&
    role !== null &&
    membershipGeneration !== null
  return {
    session: {
      id: row.id,
      mark: row.mark,
      method: row.method,
      ssoOrganizationId:
        row.ssoOrganizationId === null ? null : trusted.organizationId(row.ssoOrganizationId),
      upstreamSession: row.upstreamSession,
      endsAt: row.absoluteExpiresAt,
    },
    user: {
      id: trusted.userId(row.userId),
      identityId: trusted.identityUserId(row.userIdentityId),
      email: row.email,
    },
    organization: active
      ? {
          id: trusted.organizationId(organizationId),
          identityId: trusted.identityOrganizationId(organizationIdentityId),
          role,
          membershipGeneration,
        }
      : null,
  }
}
