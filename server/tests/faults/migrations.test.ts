import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import { migrationNames } from '../../src/platform/database/schema/migration-names.ts'
import { openProcessHarness } from '../process/office-process.ts'
import { until } from '../until.ts'
import { chance, tellFigures } from './figures.ts'

const harness = openProcessHarness()
const name = `migrated_${randomBytes(6).toString('hex')}`
const url = Object.assign(new URL(inject('adminConnectionString')), { pathname: `/${name}` }).href
let admin: pg.Client
let database: pg.Client
beforeEach(async () => {
  admin = new pg.Client({ connectionString: inject('adminConnectionString') })
  await admin.connect()
  await admin.query(`create database ${name}`)
  database = new pg.Client({ connectionString: url })
  await database.connect()
})
afterEach(async () => {
  await harness.clear()
  await database.end()
  await admin.query(`drop database ${name} with (force)`)
  await admin.end()
})

async function applied(): Promise<string[]> {
  const { rows } = await database.query(`select to_regclass('public.schema_migrations') is not null as there`)
  if (!rows[0].there) return []
  const found = await database.query('select name from public.schema_migrations order by id')
  return found.rows.map((row) => row.name as string)
}

it('migrations that are killed at each step are completed by the next two that come at once, to the same schema', async (context) => {
  const all = await migrationNames()
  const settings = { DATABASE_URL: url, DATA_DIR: await harness.folder() }
  let kills = 0
  let undone = 0
  while (kills < all.length) {
    const before = (await applied()).length
    const migrating = harness.run(['migrate'], { settings })
    // one further at least, or at an end; then somewhere in the next one
    await until(async () => migrating.hasEnded() || (await applied()).length > before)
    if (migrating.hasEnded()) break
    await pause(chance() * 30)
    const seen = (await applied()).length
    migrating.kill('SIGKILL')
    await migrating.ended
    kills += 1
    // what had not been committed is gone as a whole, once the server has noticed
    const others = `select 1 from pg_stat_activity where datname = $1 and application_name = 'atrium-migrate'`
    await until(async () => (await admin.query(others, [name])).rowCount === 0)
    if ((await applied()).length === seen) undone += 1
  }
  const [one, other] = [harness.run(['migrate'], { settings }), harness.run(['migrate'], { settings })]
  expect([(await one.ended).code, (await other.ended).code]).toEqual([0, 0])
  expect(await applied()).toEqual(all)
  const checking = harness.run(['database', 'check'], { settings })
  expect([(await checking.ended).code, checking.stderr()]).toEqual([0, ''])
  tellFigures(context, { migrations: all.length, kills, undone })
  expect(kills).toBeGreaterThan(5)
})
