import { type Db, openDatabase, openPool } from '../../platform/database/database.ts'
import type { Secret } from '../../platform/secrets/secret.ts'

/** Of a connection, and of the answer: one that is busy is asked with patience. */
const ANSWER_WITHIN_MS = 15_000

/**
 * What a named database says. Nothing is said of one that cannot be asked, or is not migrated yet: another look does.
 * @returns undefined then, and where the database is embedded
 */
export async function askDatabase<Answer>(
  databaseUrl: Secret | undefined,
  question: (db: Db) => Promise<Answer>,
): Promise<Answer | undefined> {
  if (!databaseUrl) return undefined
  const db = openDatabase(
    openPool({
      connectionString: databaseUrl.reveal(),
      maxConnections: 1,
      acquireWithinMs: ANSWER_WITHIN_MS,
      statementTimeoutMs: ANSWER_WITHIN_MS,
      onIdleError: () => undefined,
    }),
  )
  try {
    return await question(db)
  } catch {
    return undefined
  } finally {
    await db.destroy()
  }
}
