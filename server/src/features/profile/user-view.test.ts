import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../../tests/fresh-database.ts'
import type { SignedInCaller } from '../../access/caller.ts'
import { ensureUser, findUserByEmail } from '../../directory/users.ts'
import { newWaitingBudget, withinWaitingBudget } from '../../platform/database/waiting-budget.ts'
import { trusted } from '../../platform/ids.ts'
import { readUser } from './user-view.ts'

let database: FreshDatabase
let user: SignedInCaller['user']
beforeAll(async () => {
  database = await freshDatabase()
  const identityId = trusted.identityUserId('user_ada')
  const email = 'ada@example.com'
  await ensureUser(database.db, { identityId, email, displayName: 'Ada', emailVerified: true }, new Date())
  user = { ...(await findUserByEmail(database.db, email)), identityId, email } as SignedInCaller['user']
})
afterAll(() => database.drop())

const organization = {
  id: trusted.organizationId('1'),
  identityId: trusted.identityOrganizationId('org_one'),
}
const other = trusted.organizationId('2')

it.each([
  ['gives up the room of who joins a statement', { organization, ssoOrganizationId: null }, 1],
  ['keeps it for who is in no organization', { organization: undefined, ssoOrganizationId: null }, 0],
  ['keeps it for a session of single sign-on', { organization, ssoOrganizationId: other }, 0],
])('%s', async (_, { ssoOrganizationId, organization }, given) => {
  const caller = { user, organization, session: { ssoOrganizationId } } as unknown as SignedInCaller
  const needs = {
    ...{ db: database.db, clock: { now: () => new Date() }, imageBaseUrl: 'https://images.example' },
    ...{ calendarEnabled: false, presenceFromCalendar: false, avatarUploadTries: 3 },
  }
  const releaseUnanswered = vi.fn()
  const read = () => {
    const budget = newWaitingBudget(10_000)
    const lease = { isHeld: () => true, release() {}, releaseUnanswered }
    budget.underWay = { lease, takeAgain: async () => lease }
    return withinWaitingBudget(budget, () => readUser(needs, caller))
  }
  const shown = await Promise.all([read(), read()])
  expect(shown.map(({ email }) => email)).toEqual([user.email, user.email])
  expect(releaseUnanswered).toHaveBeenCalledTimes(given)
})
