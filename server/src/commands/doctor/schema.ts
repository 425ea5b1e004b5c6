import type { Config } from '../../configuration/config.ts'
import { catalogueDifferences } from '../../platform/database/catalogue.ts'
import { MEND_COMMAND, sentencesOf } from '../../platform/database/tell-differences.ts'
import { askDatabase } from './asked-database.ts'
import type { Finding } from './realtime.ts'

const SAID = 5

/** Whether the schema is as the migrations made it. */
export async function lookAtSchema({ databaseUrl }: Pick<Config, 'databaseUrl'>): Promise<Finding[]> {
  const part = 'schema'
  const differences = await askDatabase(databaseUrl, catalogueDifferences)
  if (!differences) return []
  const problems = sentencesOf(differences, SAID)
  if (problems.length === 0) return [{ part, ok: true, says: 'as the migrations make it' }]
  return [{ part, ok: false, says: `${problems.join(' ')} Mend it with: ${MEND_COMMAND}` }]
}
