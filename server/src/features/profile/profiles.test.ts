import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../tests/fresh-database.ts'
import { ensureUser, findUserByEmail } from '../../directory/users.ts'
import { trusted } from '../../platform/ids.ts'
import { readProfile } from './profiles.ts'

let database: FreshDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

async function person(name: string) {
  const identityId = trusted.identityUserId(`user_${name}`)
  const email = `${name}@example.com`
  await ensureUser(database.db, { identityId, email, displayName: name, emailVerified: true }, new Date())
  const user = await findUserByEmail(database.db, email)
  if (!user) throw new Error('the person was not stored')
  return user.id
}

/** How many statements `work` sends, though it does not wait between them. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const connect = database.pool.connect
  let count = 0
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg's own method
  database.pool.connect = function counted(this: unknown, ...args: any[]) {
    count += 1
    // biome-ignore lint/suspicious/noExplicitAny: as above
    return (connect as any).apply(database.pool, args)
  } as typeof connect
  await work().finally(() => {
    database.pool.connect = connect
  })
  return count
}

it('gives everybody their own, however many ask at once, in one query', async () => {
  const people = await Promise.all(Array.from({ length: 40 }, (_, at) => person(`p${at}`)))
  const nobody = trusted.userId('999999999')
  const asked = [...people, nobody, ...people]
  let found: (string | undefined)[] = []
  const statements = await statementsOf(async () => {
    const profiles = await Promise.all(asked.map((id) => readProfile(database.db, id, undefined, new Date())))
    found = profiles.map((profile) => profile?.id)
  })
  expect(found).toEqual([...people, undefined, ...people])
  expect(statements).toBe(1)
})

it('remembers nothing: who asks after a change sees it', async () => {
  const id = await person('changed')
  await readProfile(database.db, id, undefined, new Date())
  await database.pool.query(`update users set display_name = 'Ada' where id = $1`, [id])
  expect(await readProfile(database.db, id, undefined, new Date())).toMatchObject({
    displayName: 'Ada',
    memberships: [],
  })
})
