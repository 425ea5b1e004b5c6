import type { Log } from '../log.ts'
import { catalogueDifferences, type Difference } from './catalogue.ts'
import { openDatabase, openPool } from './database.ts'
import { sentenceOf } from './mend-catalogue.ts'

export const MEND_COMMAND = 'npx atrium database check --mend'

const ANSWER_WITHIN_MS = 10_000
/** More sentences are counted and not said. */
const SAID = 20

/** What is wrong with the schema, in sentences. Empty where it is as the migrations made it, or cannot be looked at. */
export function sentencesOf(differences: readonly Difference[], atMost = SAID): string[] {
  const said = differences.slice(0, atMost).map(sentenceOf)
  const more = differences.length - said.length
  return more > 0 ? [...said, `And ${more} more: npx atrium database check lists them.`] : said
}

/** Looks at the schema once, and says in the log where it is not as the migrations made it. */
export async function tellDifferences(
  connectionString: string,
  log: Pick<Log, 'warn' | 'error'>,
): Promise<string[]> {
  const db = openDatabase(
    openPool({
      connectionString,
      maxConnections: 1,
      statementTimeoutMs: ANSWER_WITHIN_MS,
      onIdleError: () => undefined,
    }),
  )
  try {
    const problems = sentencesOf(await catalogueDifferences(db))
    if (problems.length > 0)
      log.error({ problems }, `the schema is not as the migrations made it. Mend it with: ${MEND_COMMAND}`)
    return problems
  } catch (err) {
    log.warn({ err }, 'the schema could not be compared with the migrations')
    return []
  } finally {
    await db.destroy()
  }
}
