import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../tests/fresh-database.ts'
import { hold, untilBlocked } from '../../tests/held-locks.ts'
import { trusted } from '../platform/ids.ts'
import { ensureUser, findUserByEmail } from './users.ts'

describe('the account of an address', () => {
  let database: FreshDatabase
  beforeAll(async () => {
    database = await freshDatabase()
  })
  afterAll(() => database.drop())

  it('is made once, where two make it at the same moment under one name of the identity provider', async () => {
    const email = 'ada@people.example'
    const identityId = trusted.identityUserId('user_01ADA')
    const [place, now] = [{ database }, new Date()]
    // its address is there a moment after its name: as where both have looked for it before either wrote it
    const first = await hold(
      place,
      `insert into users (identity_user_id, email, display_name, created_at, updated_at)
        values ($1, 'not-yet', 'Ada', $2, $2)`,
      [identityId, now],
    )
    const made = ensureUser(database.db, { identityId, email, displayName: 'ada', emailVerified: false }, now)
    await untilBlocked(place, 1)
    await first.query('update users set email = $2 where identity_user_id = $1', [identityId, email])
    await first.commit()
    await made
    expect(await findUserByEmail(database.db, email)).toMatchObject({ identityId, displayName: 'Ada' })
  })

  it('is refused under a name that a person of another address has', async () => {
    const identityId = trusted.identityUserId('user_01BEN')
    const person = { identityId, displayName: 'ben', emailVerified: false }
    await ensureUser(database.db, { ...person, email: 'ben@people.example' }, new Date())
    const again = ensureUser(database.db, { ...person, email: 'other@people.example' }, new Date())
    await expect(again).rejects.toMatchObject({ constraint: 'users_identity_user_id_key' })
  })
})
