import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../tests/fresh-database.ts'
import { openPool } from '../database/database.ts'
import { type Limiter, purgeRateLimits, sharedLimiter } from './rate-limit.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
const away = openPool({
  connectionString: 'postgres://nobody@127.0.0.1:1/none',
  maxConnections: 1,
  statementTimeoutMs: 1_000,
  onIdleError: () => {},
})
afterAll(async () => {
  await away.end()
  await database.drop()
})

const soon = { timeout: 240_000, interval: 50 }
const options = { points: 3, seconds: 600 }

const kinds: [string, (name: string, points?: number, seconds?: number) => Limiter][] = [
  [
    'shared',
    (name, points = 3, seconds = 600) =>
      sharedLimiter({ pool: database.pool, name, points, seconds, refundable: name === 'given-back' }),
  ],
  [
    'while the database is away',
    (name, points = 3, seconds = 600) =>
      sharedLimiter({ pool: away, name, points, seconds, refundable: name === 'given-back' }),
  ],
]

describe.each(kinds)('a limit, %s,', (_kind, limiter) => {
  it('allows so many and refuses the rest, each key for itself', async () => {
    const limit = limiter('count')
    const taken = []
    for (let n = 0; n < 4; n++) taken.push(await limit.take('ada@example.com'))
    expect(taken.map(({ allowed, remaining }) => [allowed, remaining])).toEqual([
      [true, 2],
      [true, 1],
      [true, 0],
      [false, 0],
    ])
    for (const { limit: most, resetSeconds } of taken) {
      expect(most).toBe(3)
      expect(resetSeconds).toBeGreaterThan(500)
      expect(resetSeconds).toBeLessThanOrEqual(600)
    }
    expect((await limit.take('bob@example.com')).allowed).toBe(true)
  })

  it('holds when many ask at once', async () => {
    const limit = limiter('at-once')
    const taken = await Promise.all(Array.from({ length: 20 }, () => limit.take('ada')))
    expect(taken.filter(({ allowed }) => allowed)).toHaveLength(3)
  })

  it('takes several points at once, or none to ask', async () => {
    const limit = limiter('points')
    expect(await limit.take('ada', 0)).toEqual({ allowed: true, limit: 3, remaining: 3, resetSeconds: 0 })
    expect(await limit.take('ada', 3)).toMatchObject({ allowed: true, remaining: 0 })
    expect(await limit.take('ada', 0)).toMatchObject({ allowed: false, remaining: 0 })
    expect(await limit.take('bob', 4)).toMatchObject({ allowed: false, remaining: 0 })
  })

  it('begins anew when its window has ended', async () => {
    const limit = limiter('window', 1, 1)
    expect((await limit.take('ada')).allowed).toBe(true)
    expect((await limit.take('ada')).allowed).toBe(false)
    await vi.waitFor(async () => expect((await limit.take('ada', 0)).allowed).toBe(true), soon)
    expect((await limit.take('ada')).allowed).toBe(true)
  })

  it('counts no point that was given back', async () => {
    const limit = limiter('given-back', 1, 600)
    expect((await limit.take('ada')).allowed).toBe(true)
    await limit.giveBack('ada')
    expect((await limit.take('ada')).allowed).toBe(true)
    expect((await limit.take('ada')).allowed).toBe(false)
  })

  it('is none with 0 points', async () => {
    const limit = limiter('none', 0)
    for (let n = 0; n < 10; n++) expect(await limit.take('ada')).toMatchObject({ allowed: true, limit: 0 })
  })
})

describe('a shared limit', () => {
  it('is counted by all nodes together, apart from limits of another name', async () => {
    const [one, two, other] = ['together', 'together', 'apart'].map((name) =>
      sharedLimiter({ ...options, pool: database.pool, name }),
    )
    await one?.take('ada', 2)
    expect(await two?.take('ada')).toMatchObject({ allowed: true, remaining: 0 })
    expect(await one?.take('ada')).toMatchObject({ allowed: false })
    expect(await other?.take('ada')).toMatchObject({ allowed: true, remaining: 2 })
  })

  it('keeps no key in clear', async () => {
    await sharedLimiter({ ...options, pool: database.pool, name: 'private' }).take('ada@example.com')
    const { rows } = await database.pool.query('select key from rate_limits')
    expect(JSON.stringify(rows)).toContain('private:')
    expect(JSON.stringify(rows)).not.toContain('ada')
  })

  it('is counted by the node alone while the database is away, and says so', async () => {
    const errors: unknown[] = []
    const limit = sharedLimiter({
      ...options,
      pool: away,
      name: 'away',
      onStoreError: (error) => errors.push(error),
    })
    const taken = []
    for (let n = 0; n < 4; n++) taken.push((await limit.take('ada')).allowed)
    expect(taken).toEqual([true, true, true, false])
    expect(errors).toHaveLength(4)
  })

  it('forgets what has ended when told to', async () => {
    await sharedLimiter({ pool: database.pool, name: 'ended', points: 1, seconds: 1 }).take('ada')
    await sharedLimiter({ pool: database.pool, name: 'going-on', points: 1, seconds: 600 }).take('ada')
    await purgeRateLimits(database.pool, new Date(Date.now() + 10_000))
    const { rows } = await database.pool.query<{ key: string }>('select key from rate_limits')
    const names = rows.map(({ key }) => key.split(':')[0])
    expect(names).toContain('going-on')
    expect(names).not.toContain('ended')
  })
})
