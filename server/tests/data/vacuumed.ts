import type pg from 'pg'
import { until } from '../until.ts'

/**
 * Vacuums and analyzes tables until their rows are known to be visible to all, as they are soon after they were written.
 * Right after a commit that is not on the disk yet, or while a former transaction looks on, a vacuum passes over them: whether
 * PostgreSQL reads an index alone, and by which plan, would depend on that moment. Without names, all tables.
 */
export async function vacuum(
  database: Pick<pg.ClientBase, 'query'>,
  tables: readonly string[] = [],
): Promise<void> {
  await until(
    async () => {
      // the index too: where few rows are dead, a vacuum leaves them, and their pages are never visible to all
      await database.query(`vacuum (analyze, index_cleanup on) ${tables.join(', ')}`)
      const { rowCount } = await database.query(
        `select from pg_stat_user_tables join pg_class c on c.oid = relid
       where relallvisible < relpages and (c.relname = any($1) or $1 = '{}')`,
        [tables],
      )
      return rowCount === 0
    },
    `a vacuum of ${tables.join(', ') || 'all tables'}`,
  )
}
