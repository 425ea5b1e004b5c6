import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../fresh-database.ts'
import { seedResting } from './resting-office.ts'
import { openResting, rowsRead } from './rows-read.ts'

const FEW = 20
const MANY = 200
/**
 * Rows that a task may read more of, with any amount at rest: the page of an index where two are, a look into one
 * queue.
 */
const TOLERATED = 25
/** What may read more than that, each with its reason. */
const MORE: Record<string, number> = {
  // each run goes on through the table for what is left of people, fifty at a time, or comes to its end
  'presence-poll': 200,
}

/** `npx node server/tests/data/rows-read-table.ts` tells the same of real sizes. */
describe('what an office reads without present people', () => {
  let database: FreshDatabase
  let few: Map<string, number>
  let many: Map<string, number>
  beforeAll(async () => {
    database = await freshDatabase()
    // in tables as small as these PostgreSQL would read everything where it has an index too
    const url = new URL(database.connectionString)
    url.searchParams.set('options', '-c enable_seqscan=off')
    const readAt = async (size: number) => {
      await seedResting(database.pool, size)
      await using office = await openResting(url.href)
      return await rowsRead(office, database.pool)
    }
    few = await readAt(FEW)
    many = await readAt(MANY)
  })
  afterAll(() => database.drop())

  it('is measured: what is known to read something does', () => {
    expect(few.get('members/list of everybody')).toBeGreaterThan(10)
    expect(many.size).toBeGreaterThan(50)
    expect([...many.keys()]).toEqual([...few.keys()])
  })

  it('does not grow with the organizations that rest', () => {
    const grown = [...many].filter(([name, rows]) => {
      return rows - (few.get(name) ?? 0) > TOLERATED + (MORE[name] ?? 0)
    })
    expect(grown.map(([name, rows]) => `${name}: ${few.get(name)} of ${FEW}, ${rows} of ${MANY}`)).toEqual([])
  })
})
