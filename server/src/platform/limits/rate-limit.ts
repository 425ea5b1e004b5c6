import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type pg from 'pg'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible'
import type { Db } from '../database/database.ts'
import { boundedCache } from './bounded-cache.ts'

export interface LimiterOptions {
  /** Kebab-case, unique: limiters of one name share their counts. */
  name: string
  /** How many points each key has within a window. 0: no limit. */
  points: number
  /** Length of a window, which begins with the first take. */
  seconds: number
}

export interface SharedLimiterOptions extends LimiterOptions {
  pool: pg.Pool
  /** Told where the table cannot be used: until it can, this node counts by itself. */
  onStoreError?: (error: unknown) => void
  /** Points may be given back: then the table is asked even of a key that has none left. */
  refundable?: boolean
}

export interface Taken {
  allowed: boolean
  /** 0: there is no limit, and nothing to tell the caller about one. */
  limit: number
  remaining: number
  /** Until the window ends, rounded up. 0 where none has begun. */
  resetSeconds: number
}

export interface Limiter {
  /**
   * Takes points from what `key` has. Keys may be personal (addresses, e-mails): only their hash is kept.
   * With 0 points nothing is taken: `allowed` says whether one more would be.
   * Never throws because of a limit or of a database that is away.
   */
  take(key: string, points?: number): Promise<Taken>
  /** Gives back points that were taken, one where not said, of a limit that is `refundable`. Never throws. */
  giveBack(key: string, points?: number): Promise<void>
}

const TABLE = 'rate_limits'
/** Sizes of one limit that are in use at the same time: organizations may have sizes of their own. */
const SIZES_MAX = 100

/** A limit that all nodes count together, in the table `rate_limits`. */
export function sharedLimiter({ pool, onStoreError, ...options }: SharedLimiterOptions): Limiter {
  if (options.points === 0) return unlimited
  const insurance = inMemory(options)
  const shared = new RateLimiterPostgres({
    storeClient: pool,
    storeType: 'pool',
    tableName: TABLE,
    tableCreated: true,
    keyPrefix: options.name,
    points: options.points,
    duration: options.seconds,
    // what is known to be used up, and stays so, is refused without asking the database
    ...(options.refundable ? {} : { inMemoryBlockOnConsumed: options.points }),
    // no timers: see purgeRateLimits
    clearExpiredByTimeout: false,
  })
  const take = async (key: string, points = 1) => {
    const hashed = hashOf(key)
    try {
      return await takeFrom(shared, options, hashed, points)
    } catch (error) {
      onStoreError?.(error)
      return takeFrom(insurance, options, hashed, points)
    }
  }
  const giveBack = async (key: string, points = 1) => {
    const hashed = hashOf(key)
    await shared.reward(hashed, points).catch(async (error: unknown) => {
      onStoreError?.(error)
      await insurance.reward(hashed, points)
    })
  }
  return { take, giveBack }
}

/** Limiters of one name and several sizes: what one of them has counted, the others count too. */
export function sharedLimiters(options: Omit<SharedLimiterOptions, 'points'>): (points: number) => Limiter {
  const known = boundedCache<number, Limiter>(SIZES_MAX)
  return (points) => {
    const present = known.get(points)
    if (present) return present
    const made = sharedLimiter({ ...options, points })
    known.set(points, made)
    return made
  }
}

/** How much of a shared limit is used now; of several keys, by whichever has used most. What has no limit is not counted. */
export async function readUsed(db: Db, name: string, keys: readonly string[]): Promise<number> {
  const stored = keys.map((key) => `${name}:${hashOf(key)}`)
  const { rows } = await sql<{ used: number }>`
    select coalesce(max(points), 0)::integer as used from ${sql.table(TABLE)}
    where key = any(${stored}) and expire > ${Date.now()}`.execute(db)
  return rows[0]?.used ?? 0
}

/** Deletes the shared counts of windows that ended before `before`. A job's work. */
export async function purgeRateLimits(pool: pg.Pool, before: Date): Promise<void> {
  await pool.query({ text: `delete from ${TABLE} where expire < $1`, values: [before.getTime()] })
}

const unlimited: Limiter = {
  take: async () => ({ allowed: true, limit: 0, remaining: 0, resetSeconds: 0 }),
  giveBack: async () => {},
}

// Its timers, one for each key, do not keep the process alive.
function inMemory({ name, points, seconds }: LimiterOptions): RateLimiterMemory {
  return new RateLimiterMemory({ keyPrefix: name, points, duration: seconds })
}

async function takeFrom(
  limiter: RateLimiterAbstract,
  { points: limit }: LimiterOptions,
  key: string,
  points: number,
): Promise<Taken> {
  if (points === 0) {
    const used = await limiter.get(key)
    const remaining = used ? Math.max(limit - used.consumedPoints, 0) : limit
    return { allowed: remaining > 0, limit, remaining, resetSeconds: used ? secondsLeft(used) : 0 }
  }
  try {
    const used = await limiter.consume(key, points)
    return { allowed: true, limit, remaining: used.remainingPoints, resetSeconds: secondsLeft(used) }
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused
    return { allowed: false, limit, remaining: 0, resetSeconds: secondsLeft(refused) }
  }
}

function secondsLeft({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(Math.ceil(msBeforeNext / 1_000), 0)
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}
