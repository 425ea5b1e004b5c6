import type { Config } from '../configuration/config.ts'
import { openDatabase, openPool } from '../platform/database/database.ts'
import type { Finding } from './doctor-realtime.ts'
import { lostOf, sentenceOfLost, tallySealed } from './keys-commands.ts'

const ANSWER_WITHIN_MS = 5_000

/** Whether everything that is sealed opens. Nothing is said of a database that cannot be asked, or is not migrated yet. */
export async function lookAtKeys(config: Pick<Config, 'databaseUrl' | 'secretKeys'>): Promise<Finding[]> {
  if (!config.databaseUrl) return []
  const part = 'keys'
  const db = openDatabase(
    openPool({
      connectionString: config.databaseUrl.reveal(),
      maxConnections: 1,
      statementTimeoutMs: ANSWER_WITHIN_MS,
      onIdleError: () => undefined,
    }),
  )
  try {
    const tallies = await tallySealed(db, config)
    const lost = tallies.flatMap(lostOf)
    if (lost.length > 0) return [{ part, ok: false, says: `${sentenceOfLost(lost)}.` }]
    const former = tallies.flatMap(({ counts }) => counts).filter(({ setting }) => isFormer(setting))
    const count = former.reduce((sum, one) => sum + one.count, 0)
    if (count === 0) return [{ part, ok: true, says: 'everything that is sealed opens with SECRET_KEY' }]
    const says = `${count} values open with SECRET_KEY_PREVIOUS, which is still needed (npx atrium keys status)`
    return [{ part, ok: true, warns: true, says }]
  } catch {
    return []
  } finally {
    await db.destroy()
  }
}

function isFormer(setting: string | undefined): boolean {
  return setting?.startsWith('previous') ?? false
}
