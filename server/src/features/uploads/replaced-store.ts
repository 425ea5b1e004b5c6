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

/** Those of one place that are still there: the removal of an image means all of them. @returns their keys */
export async function takeReplacedBelow(tx: Tx, prefix: string): Promise<string[]> {
  const rows = await tx
    .deleteFrom('replaced_images')
    .where((where) => where.fn<boolean>('starts_with', ['key', where.val(prefix)]))
    .returning('key')
    .execute()
  return rows.map(({ key }) => key)
}

export interface ReplacedImage {
  key: string
  removeAt: Date
}

/** Some of those that are due, the oldest first. @param after the last of the page before */
export async function findReplacedDue(
  db: Db,
  { now, after }: { now: Date; after: ReplacedImage | undefined },
  limit: number,
): Promise<ReplacedImage[]> {
  return await db
    .selectFrom('replaced_images')
    .select(['key', 'remove_at as removeAt'])
    .where('remove_at', '<=', now)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(remove_at, key) > (${after?.removeAt}, ${after?.key})`),
    )
    .orderBy('remove_at')
    .orderBy('key')
    .limit(limit)
    .execute()
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
