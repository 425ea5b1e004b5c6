import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../tests/fresh-database.ts'
import { countSealed, resealPlace } from './resealing.ts'
import { type KeyRing, makeKeyRing, open, seal } from './sealed-column.ts'
import { passingColumn, type SealedPlace, sealedColumn } from './sealed-place.ts'
import { Secret } from './secret.ts'

const [first, second, third] = ['first', 'second', 'third'].map(
  (name) => new Secret(`${name} root secret`),
) as [Secret, Secret, Secret]
const goOn = new AbortController().signal
const contextOf = (row: Record<string, unknown>) =>
  ['things.sealed', String(row.room), String(row.name)] as const

let database: FreshDatabase
beforeEach(async () => {
  database = await freshDatabase()
  await database.pool.query(
    'create table things (room bigint, name text, sealed bytea, held boolean default false, ends_at timestamptz, primary key (room, name))',
  )
})
afterEach(() => database.drop())

const placeOf = (ring: KeyRing): SealedPlace =>
  sealedColumn({
    ...{ name: 'things', ring, table: 'things', column: 'sealed', key: ['room', 'name'], contextOf },
    unlessHeld: sql<boolean>`not held`,
  })
const put = (ring: KeyRing, name: string, text = name, room = 1) =>
  database.pool.query('insert into things (room, name, sealed) values ($1, $2, $3)', [
    room,
    name,
    seal(ring, text, contextOf({ room, name })),
  ])
const read = async (ring: KeyRing): Promise<string[]> => {
  const { rows } = await database.pool.query(
    'select * from things where sealed is not null order by room, name',
  )
  return rows.map((row) => open(ring, row.sealed, contextOf(row)).toString())
}
const counted = async (ring: KeyRing) =>
  Object.fromEntries(
    (await countSealed(database.db, placeOf(ring))).map(({ setting, count }) => [setting ?? 'none', count]),
  )

describe('sealing anew', () => {
  it('leaves nothing to former keys, over more than one batch, and two rotations in a row', async () => {
    const before = makeKeyRing('things', first)
    for (let at = 0; at < 205; at++) await put(before, `thing ${at}`)
    const after = makeKeyRing('things', second, [first])
    expect(await counted(after)).toEqual({ 'previous 1': 205 })
    expect(await resealPlace(database.db, placeOf(after), goOn)).toEqual({ done: 205, unopenable: 0 })
    expect(await counted(after)).toEqual({ current: 205 })
    await put(after, 'new')
    const again = makeKeyRing('things', third, [second, first])
    expect(await resealPlace(database.db, placeOf(again), goOn)).toEqual({ done: 206, unopenable: 0 })
    expect(await read(makeKeyRing('things', third))).toContain('thing 204')
  })

  it('leaves alone what other nodes have sealed with the key to come, and what no key opens', async () => {
    const coming = makeKeyRing('things', second, [first])
    await put(coming, 'of the other node')
    await put(makeKeyRing('things', third), 'of a key that is gone')
    await put(makeKeyRing('things', first), 'old')
    await database.pool.query(
      "insert into things (room, name, sealed) values (2, 'broken', '\\x0102'), (2, 'none', null)",
    )
    const ring = makeKeyRing('things', first, [], [second])
    expect(await counted(ring)).toEqual({ next: 1, none: 1, current: 1 })
    expect(await resealPlace(database.db, placeOf(ring), goOn)).toEqual({ done: 0, unopenable: 0 })
    expect(await resealPlace(database.db, placeOf(coming), goOn)).toEqual({ done: 1, unopenable: 0 })
    const ids = await countSealed(database.db, placeOf(coming))
    expect(ids.filter(({ setting }) => !setting).map(({ keyId }) => keyId)).toEqual(
      expect.arrayContaining([makeKeyRing('things', third).current.kid, '']),
    )
  })

  it('counts what was carried to another row and goes on behind it', async () => {
    const before = makeKeyRing('things', first)
    for (let at = 0; at < 120; at++) await put(before, `thing ${at}`)
    await database.pool.query("update things set name = 'carried ' || name where name like 'thing 1%'")
    const after = makeKeyRing('things', second, [first])
    const carried = (await database.pool.query("select from things where name like 'carried%'")).rowCount ?? 0
    expect(await resealPlace(database.db, placeOf(after), goOn)).toEqual({
      done: 120 - carried,
      unopenable: carried,
    })
  })

  it('asks no longer questions for what it passes over', async () => {
    const before = makeKeyRing('things', first)
    for (let at = 0; at < 320; at++) await put(before, `thing ${at}`)
    await database.pool.query("update things set name = 'carried ' || name")
    const sizes: number[] = []
    const db = database.db.withPlugin({
      transformQuery: ({ node }) => {
        sizes.push(JSON.stringify(node).length)
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const after = makeKeyRing('things', second, [first])
    expect(await resealPlace(db, placeOf(after), goOn)).toEqual({ done: 0, unopenable: 320 })
    expect(sizes).toHaveLength(4)
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(2_000)
  })

  it('does not take a row that another transaction holds, and takes it later', async () => {
    await put(makeKeyRing('things', first), 'one')
    await database.pool.query('update things set held = true')
    const after = makeKeyRing('things', second, [first])
    expect(await resealPlace(database.db, placeOf(after), goOn)).toEqual({ done: 0, unopenable: 0 })
    await database.pool.query('update things set held = false')
    expect(await resealPlace(database.db, placeOf(after), goOn)).toEqual({ done: 1, unopenable: 0 })
  })

  it('stands two nodes that do it at once, each under its own rotation', async () => {
    const before = makeKeyRing('things', first)
    for (let at = 0; at < 150; at++) await put(before, `thing ${at}`)
    const after = () => resealPlace(database.db, placeOf(makeKeyRing('things', second, [first])), goOn)
    const [one, other] = await Promise.all([after(), after()])
    expect((one?.done ?? 0) + (other?.done ?? 0)).toBe(150)
    expect(await read(makeKeyRing('things', second))).toHaveLength(150)
  })

  it('says until when what ends by itself needs its key, and forgets what has ended', async () => {
    const ring = makeKeyRing('things', first)
    for (const name of ['over', 'soon', 'last']) await put(ring, name)
    await database.pool.query(`update things set ends_at = case name
      when 'over' then now() - interval '1 minute' when 'soon' then now() + interval '1 hour'
      else timestamptz '2999-01-01' end`)
    const passing = passingColumn({
      ...{ name: 'things', ring: makeKeyRing('things', second, [first]), table: 'things', column: 'sealed' },
      endsAt: sql<Date>`ends_at`,
    })
    expect(await countSealed(database.db, passing)).toMatchObject([
      { setting: 'previous 1', count: 2, until: new Date('2999-01-01') },
    ])
    expect(await resealPlace(database.db, passing, goOn)).toEqual({ done: 0, unopenable: 0 })
  })
})
