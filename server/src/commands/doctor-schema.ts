import type { Config } from '../configuration/config.ts'
import { catalogueDifferences } from '../platform/database/catalogue.ts'
import { openDatabase, openPool } from '../platform/database/database.ts'
import { MEND_COMMAND, sentencesOf } from '../platform/database/tell-differences.ts'
import type { Finding } from './doctor-realtime.ts'

const ANSWER_WITHIN_MS = 5_000
const SAID = 5

/** Whether the schema is as the migrations made it. Nothing is said of a database that cannot be asked, or is not migrated. */
export async function lookAtSchema({ databaseUrl }: Pick<Config, 'databaseUrl'>): Promise<Finding[]> {
  if (!databaseUrl) return []
  const part = 'schema'
  const db = openDatabase(
    openPool({
      connectionString: databaseUrl.reveal(),
      maxConnections: 1,
      statementTimeoutMs: ANSWER_WITHIN_MS,
      onIdleError: () => undefined,
    }),
  )
  try {
    const problems = sentencesOf(await catalogueDifferences(db), SAID)
    if (problems.length === 0) return [{ part, ok: true, says: 'as the migrations make it' }]
    return [{ part, ok: false, says: `${problems.join(' ')} Mend it with: ${MEND_COMMAND}` }]
  } catch {
    return []
  } finally {
    await db.destroy()
  }
}
