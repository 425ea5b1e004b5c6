import { catalogueDifferences, type Difference } from '../../platform/database/catalogue.ts'
import { openDatabase, type Pool } from '../../platform/database/database.ts'

/** One that was found well is not looked at again for so long: probes come every few seconds. */
const WELL_FOR_MS = 60_000

/** What is wrong with the schema, until the first call after it is mended. Empty where the database does not answer. */
export function schemaCheck(pool: Pool): () => Promise<readonly Difference[]> {
  const db = openDatabase(pool)
  let wellUntil = Number.NEGATIVE_INFINITY
  let looking: Promise<readonly Difference[]> | undefined
  const look = async () => {
    const found = await catalogueDifferences(db)
    if (found.length === 0) wellUntil = performance.now() + WELL_FOR_MS
    return found
  }
  return async () => {
    if (performance.now() < wellUntil) return []
    looking ??= look().finally(() => {
      looking = undefined
    })
    return await looking
  }
}
