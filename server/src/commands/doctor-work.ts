import type { Config } from '../configuration/config.ts'
import { countDead } from '../platform/background/dead-work.ts'
import { openDatabase, openPool } from '../platform/database/database.ts'
import type { Finding } from './doctor-realtime.ts'

const ANSWER_WITHIN_MS = 5_000

/** Whether background work was given up. Nothing is said of a database that cannot be asked, or is not migrated yet. */
export async function lookAtWork({ databaseUrl }: Config): Promise<Finding[]> {
  if (!databaseUrl) return []
  const part = 'background work'
  const db = openDatabase(
    openPool({
      connectionString: databaseUrl.reveal(),
      maxConnections: 1,
      statementTimeoutMs: ANSWER_WITHIN_MS,
      onIdleError: () => undefined,
    }),
  )
  try {
    const dead = await countDead(db)
    if (dead.length === 0) return [{ part, ok: true, says: 'nothing was given up' }]
    const queues = dead.map(({ queue, count }) => `${count} of ${queue}`).join(', ')
    const says = `given up after many tries: ${queues}. Look with: npx atrium work list; then npx atrium work retry or drop <id>`
    return [{ part, ok: true, warns: true, says }]
  } catch {
    return []
  } finally {
    await db.destroy()
  }
}
