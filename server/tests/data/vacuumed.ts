import type pg from 'pg'
import { until } from '../until.ts'

/**
 * Vacuums and analyzes all tables until their rows are known to be visible to all, as they are soon after they were written.
 * Right after a commit that is not on the disk yet, or while a former transaction looks on, a vacuum passes over them: whether
 * PostgreSQL reads an index alone, and by which plan, would depend on that moment.
 */
export async function vacuumAll(database: Pick<pg.ClientBase, 'query'>): Promise<void> {
  await until(async () => {
    await database.query('vacuum analyze')
    const { rows } = await database.query<{ name: string }>(
      `select c.relname as name from pg_stat_user_tables join pg_class c on c.oid = relid where relallvisible < relpages`,
    )
    return rows.length === 0
  })
}
