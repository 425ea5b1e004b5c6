import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    replaced_images: {
      key: string
      /** Until then it is served to those who have not heard of the next one. */
      remove_at: Date
    }
  }
}

/** Notes that an image has been replaced, in the transaction that shows the next one. */
export async function noteReplaced(tx: Tx, key: string, removeAt: Date): Promise<void> {
  await tx
    .insertInto('replaced_images')
    .values({ key, remove_at: removeAt })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ remove_at: removeAt }))
    .execute()
}

/** Those of one place that are still there: whoever removes their image means all of them. @returns their keys */
export async function takeReplacedBelow(tx: Tx, prefix: string): Promise<string[]> {
  const rows = await tx
    .deleteFrom('replaced_images')
    .where((where) => where.fn<boolean>('starts_with', ['key', where.val(prefix)]))
    .returning('key')
    .execute()
  return rows.map(({ key }) => key)
}

/** Some of those whose time is over, the oldest first. */
export async function findReplacedDue(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('replaced_images')
    .select('key')
    .where('remove_at', '<=', now)
    .orderBy('remove_at')
    .limit(limit)
    .execute()
  return rows.map(({ key }) => key)
}

/** Which of these keys are still to be served. */
export async function stillServed(db: Db, keys: readonly string[], now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('replaced_images')
    .select('key')
    .where(sql<boolean>`key = any(${keys}::text[])`)
    .where('remove_at', '>', now)
    .execute()
  return rows.map(({ key }) => key)
}

export async function forgetReplaced(db: Db, keys: readonly string[]): Promise<void> {
  await db.deleteFrom('replaced_images').where(sql<boolean>`key = any(${keys}::text[])`).execute()
}
