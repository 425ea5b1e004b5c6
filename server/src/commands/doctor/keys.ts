import type { Config } from '../../configuration/config.ts'
import { lostOf, sentenceOfLost, tallySealed } from '../keys-commands.ts'
import { askDatabase } from './asked-database.ts'
import type { Finding } from './realtime.ts'

/** Whether everything that is sealed opens. */
export async function lookAtKeys(config: Pick<Config, 'databaseUrl' | 'secretKeys'>): Promise<Finding[]> {
  const part = 'keys'
  const tallies = await askDatabase(config.databaseUrl, (db) => tallySealed(db, config))
  if (!tallies) return []
  const lost = tallies.flatMap(lostOf)
  if (lost.length > 0) return [{ part, ok: false, says: `${sentenceOfLost(lost)}.` }]
  const former = tallies
    .flatMap(({ counts }) => counts)
    .filter(({ setting }) => setting?.startsWith('previous'))
  const count = former.reduce((sum, one) => sum + one.count, 0)
  if (count === 0) return [{ part, ok: true, says: 'everything that is sealed opens with SECRET_KEY' }]
  const says = `${count} values open with SECRET_KEY_PREVIOUS, which is still needed (npx atrium keys status)`
  return [{ part, ok: true, warns: true, says }]
}
