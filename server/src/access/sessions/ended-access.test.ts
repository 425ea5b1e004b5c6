import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../tests/fresh-database.ts'
import { openDatabase, openPool } from '../../platform/database/database.ts'
import { type Ending, rememberEndedAccess } from './ended-access.ts'
import { purgeEndings } from './ended-access-store.ts'
import { parseTokenOrigin } from './token-origin.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

let ids = 100
/** No notification tells of it here: there is no listener. */
async function endSession(
  query: (text: string, values: string[]) => Promise<unknown> = ask,
): Promise<string> {
  ids += 1
  const session = String(ids)
  await query(
    `insert into ended_access (cause, session_id, user_id, identity_user_id) values ('session-ended', $1, 1, 'user_1')`,
    [session],
  )
  return session
}
const ask = (text: string, values: string[]) => database.pool.query(text, values)
const origin = (sid: string, membership = '1') => ({ sid, membership })

describe('what has ended', () => {
  it('is read before anybody is answered, and then known for a while', async () => {
    const session = await endSession()
    const ended = rememberEndedAccess(database.db)
    const catchingUp = ended.current()
    expect(catchingUp).toBeInstanceOf(Promise)
    // one question for all who wait
    expect(ended.current()).toBe(catchingUp)
    await catchingUp
    expect(ended.current()).toBeUndefined()
    expect(ended.has(origin(session))).toBe(true)
    expect(ended.has(origin('9'))).toBe(false)
  })

  it('is found where its transaction committed long after it was written', async () => {
    const ended = rememberEndedAccess(database.db)
    const client = await database.pool.connect()
    await client.query('begin')
    const session = await endSession((text, values) => client.query(text, values))
    await ended.refresh()
    expect(ended.has(origin(session))).toBe(false)
    await client.query('commit')
    client.release()
    await ended.refresh()
    expect(ended.has(origin(session))).toBe(true)
  })

  it('is told once to whoever listens, by whatever way it was learned', async () => {
    const ended = rememberEndedAccess(database.db)
    await ended.refresh()
    const told: Ending[] = []
    ended.onEnded((endings) => void told.push(...endings))
    const session = await endSession()
    const { rows } = await database.pool.query('select id from ended_access where session_id = $1', [session])
    const payload = {
      ...{ id: rows[0].id, cause: 'session-ended', sessionId: session, membershipGeneration: null },
      ...{ userId: '1', identityUserId: 'user_1', organizationId: null, identityOrganizationId: null },
    }
    ended.hear(JSON.stringify(payload))
    await ended.refresh()
    expect(told.map(({ sessionId }) => sessionId)).toEqual([session])
    expect(ended.recent(60)).toEqual(expect.arrayContaining(told))
    expect(ended.recent(0)).toEqual([])
  })

  it('is unknown where the database cannot be asked: nobody is answered', async () => {
    const pool = openPool({
      connectionString: 'postgres://127.0.0.1:9/none',
      maxConnections: 1,
      statementTimeoutMs: 1_000,
      onIdleError: () => {},
    })
    const db = openDatabase(pool)
    await expect(rememberEndedAccess(db).current()).rejects.toThrow()
    await db.destroy()
  })

  it('is deleted when nothing that was minted before can be shown any more', async () => {
    const old = await endSession()
    await database.pool.query(
      `update ended_access set ended_at = now() - interval '2 days' where session_id = $1`,
      [old],
    )
    const young = await endSession()
    await purgeEndings(database.db, 24 * 60 * 60)
    const { rows } = await database.pool.query('select session_id from ended_access')
    expect(rows.map((row) => row.session_id)).toContain(young)
    expect(rows.map((row) => row.session_id)).not.toContain(old)
  })
})

it.each([undefined, null, 'x', 7, {}, { sid: '1' }, { sid: 1, membership: 1 }, { sid: '1', membership: '' }])(
  'claims like %j name no origin',
  (claims) => {
    expect(parseTokenOrigin(claims)).toBeUndefined()
    expect(parseTokenOrigin({ sid: '1', membership: '2', more: 3 })).toEqual({ sid: '1', membership: '2' })
  },
)
