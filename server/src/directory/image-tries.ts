import { sql } from 'kysely'
import { DAY_SECONDS, secondsAfter } from '../platform/clock.ts'
import type { Db } from '../platform/database/database.ts'
import type { OrganizationId, UserId } from '../platform/ids.ts'

/** The owner of an image: tries are counted for each. */
export type ImageOwner = { kind: 'user'; id: UserId } | { kind: 'organization'; id: OrganizationId }

export interface TriesSpent {
  spent: number
  /** When the first of them was spent; a day later all are back. */
  beganAt: Date | null
}

/** What remains where there is no limit: an integer, as the wire wants one. */
const UNLIMITED_TRIES = 1_000_000
const REFILL_SECONDS = DAY_SECONDS

/** How many tries are spent, of those that have not come back yet. */
export function triesSpent({ spent, beganAt }: TriesSpent, now: Date): number {
  return beganAt === null || secondsAfter(beganAt, REFILL_SECONDS) <= now ? 0 : spent
}

/** How many tries are left of `limit`; 0 as a limit means none. */
export function triesLeft(tries: TriesSpent, limit: number, now: Date): number {
  if (limit === 0) return UNLIMITED_TRIES
  return Math.max(0, limit - triesSpent(tries, now))
}

/** After how many seconds all tries are back. */
export function secondsToRefill({ beganAt }: TriesSpent, now: Date): number {
  if (beganAt === null) return 0
  return Math.max(1, Math.ceil((secondsAfter(beganAt, REFILL_SECONDS).getTime() - now.getTime()) / 1_000))
}

export async function readTries(db: Db, owner: ImageOwner): Promise<TriesSpent> {
  const { rows } = await sql<TriesSpent>`
    select image_tries_spent as spent, image_tries_began_at as "beganAt"
    from ${tableOf(owner)} where id = ${owner.id}`.execute(db)
  return rows[0] ?? { spent: 0, beganAt: null }
}

/**
 * Spends a try. Of many at once only as many succeed as there are left.
 * @returns when the count began that it was spent in; undefined where none was left
 */
export async function spendTry(
  db: Db,
  owner: ImageOwner,
  limit: number,
  now: Date,
): Promise<Date | undefined> {
  const over = secondsAfter(now, -REFILL_SECONDS)
  const { rows } = await sql<{ beganAt: Date }>`
    update ${tableOf(owner)} set
      image_tries_spent = case when image_tries_began_at > ${over} then image_tries_spent + 1 else 1 end,
      image_tries_began_at = case when image_tries_began_at > ${over} then image_tries_began_at else ${now} end
    where id = ${owner.id}
      and (${limit}::integer = 0 or image_tries_began_at is null or image_tries_began_at <= ${over}
        or image_tries_spent < ${limit}::integer)
    returning image_tries_began_at as "beganAt"`.execute(db)
  return rows[0]?.beganAt
}

/** Gives a try back that was spent in the count that began then. A newer count never knew of it. */
export async function returnTry(db: Db, owner: ImageOwner, beganAt: Date): Promise<void> {
  await sql`
    update ${tableOf(owner)} set
      image_tries_spent = greatest(0, image_tries_spent - 1),
      image_tries_began_at = case when image_tries_spent > 1 then image_tries_began_at end
    where id = ${owner.id} and image_tries_began_at = ${beganAt}`.execute(db)
}

function tableOf({ kind }: ImageOwner) {
  return kind === 'user' ? sql.table('users') : sql.table('organizations')
}
