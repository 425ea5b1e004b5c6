import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../tests/fresh-database.ts'
import { until } from '../../../tests/until.ts'
import { openOfficePage } from './office-page.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

it('reads nothing before its first reader, and follows from then on', async () => {
  let readings = 0
  let changed = (_payload: string) => {}
  const page = openOfficePage({
    get db() {
      readings += 1
      return database.db
    },
    log: { warn: () => {}, error: () => {} },
    notifications: {
      isLive: () => true,
      on(_channel, listener) {
        changed = listener
      },
    },
    families: [],
    constant: '',
  })
  changed('insert')
  // a reading would have begun before this answer is there
  await database.pool.query('select 1')
  expect(readings).toBe(0)
  await page.current()
  expect(readings).toBe(1)
  changed('insert')
  await until(() => readings === 2)
  await page.close()
})

it('is closed although it was never read', async () => {
  const page = openOfficePage({
    db: database.db,
    log: { warn: () => {}, error: () => {} },
    notifications: { isLive: () => true, on: () => {} },
    families: [],
    constant: '',
  })
  await page.close()
})
