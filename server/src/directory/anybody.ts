import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'

/** Whether an office lives in a database: a user, or an organization. Not where it has no tables yet. */
export async function holdsAnybody(db: Db): Promise<boolean> {
  const { rows } = await sql<{
    there: boolean
  }>`select to_regclass('public.users') is not null as there`.execute(db)
  if (!rows[0]?.there) return false
  const person = await db.selectFrom('users').select('id').limit(1).executeTakeFirst()
  const organization = await db.selectFrom('organizations').select('id').limit(1).executeTakeFirst()
  return person !== undefined || organization !== undefined
}
