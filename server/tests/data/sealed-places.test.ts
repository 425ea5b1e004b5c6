import { expect, it, onTestFinished } from 'vitest'
import { sealedPlacesOf } from '../../src/compose/keys/sealed-places.ts'
import { readConfig } from '../../src/configuration/config.ts'
import { countSealed } from '../../src/platform/secrets/resealing.ts'
import { freshDatabase } from '../fresh-database.ts'

/** Columns that nothing is written to any more. */
const OF_EARLIER_RELEASES = ['mail_queue.sealed_message', 'pending_sign_ups.sealed_token']

it('every sealed column is among the places that are counted and sealed anew', async () => {
  const database = await freshDatabase()
  onTestFinished(() => database.drop())
  const { rows } = await database.pool.query(
    `select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and column_name like 'sealed\\_%' order by 1`,
  )
  const places = sealedPlacesOf(readConfig({ ATRIUM_ENV: 'test' }, '/nowhere'))
  const named = new Set(OF_EARLIER_RELEASES)
  for (const place of places) {
    // as text, so that each column that the place looks at is seen
    const { sql } = place.keyId.compile(database.db)
    for (const column of sql.match(/sealed_\w+/g) ?? []) named.add(`${place.table}.${column}`)
    expect(await countSealed(database.db, place), place.name).toEqual([])
  }
  expect(rows.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([])
  expect(places.map(({ name }) => name)).toContain('mails that wait')
  expect(new Set(places.map(({ name }) => name)).size).toBe(places.length)
})
