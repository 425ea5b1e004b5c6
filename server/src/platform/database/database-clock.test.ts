import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../tests/fresh-database.ts'
import { type Db, openDatabase, openPool } from './database.ts'
import { clockOfDatabase } from './database-clock.ts'

let database: FreshDatabase
let db: Db
beforeAll(async () => {
  database = await freshDatabase()
  const { connectionString } = database
  db = openDatabase(
    openPool({ connectionString, maxConnections: 1, statementTimeoutMs: 5_000, onIdleError: () => {} }),
  )
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

/** The clock of a machine that is away by so much, put right; and what its log was told. */
function machine(awaySeconds: number) {
  const told: unknown[] = []
  const own = { awaySeconds, now: () => new Date(Date.now() + own.awaySeconds * 1_000) }
  const clock = clockOfDatabase(own, { warn: (...line: unknown[]) => void told.push(line[0]) })
  const awayNow = () => (clock.now().getTime() - Date.now()) / 1_000
  return { own, clock, told, awayNow }
}

describe('the clock of a node', () => {
  it.each([-300, -30, 30, 300])('that is away by %d s goes as that of the database', async (away) => {
    const { clock, told, awayNow } = machine(away)
    expect(Math.abs(awayNow() - away)).toBeLessThan(1)
    await clock.compare(db)
    expect(Math.abs(awayNow())).toBeLessThan(2)
    expect(told).toHaveLength(1)
    const [line] = told as [{ seconds: number }]
    expect(Math.abs(line.seconds + away)).toBeLessThan(2)
  })

  it('is left alone where it is right, and when it is right again', async () => {
    const { own, clock, told, awayNow } = machine(0.1)
    await clock.compare(db)
    const before = own.now()
    expect(clock.now().getTime()).toBeGreaterThanOrEqual(before.getTime())
    expect(told).toEqual([])
    own.awaySeconds = 60
    await clock.compare(db)
    await clock.compare(db)
    expect(told).toHaveLength(1)
    own.awaySeconds = 0
    await clock.compare(db)
    expect(Math.abs(awayNow())).toBeLessThan(0.5)
    expect(told).toHaveLength(2)
  })

  it('that is away by two seconds, which a lock or a removal can tell, is put right without a word', async () => {
    const { clock, told, awayNow } = machine(2)
    await clock.compare(db)
    expect(Math.abs(awayNow())).toBeLessThan(1)
    expect(told).toEqual([])
  })

  it('stays as it was where the database does not answer, and the start goes on', async () => {
    const { clock, told, awayNow } = machine(60)
    await clock.compare(db)
    const gone = openDatabase(
      openPool({
        ...{ connectionString: 'postgres://nobody@127.0.0.1:1/none', maxConnections: 1 },
        ...{ statementTimeoutMs: 1_000, onIdleError: () => {} },
      }),
    )
    await clock.compare(gone)
    await gone.destroy()
    expect(Math.abs(awayNow())).toBeLessThan(2)
    expect(told).toHaveLength(2)
  })
})
