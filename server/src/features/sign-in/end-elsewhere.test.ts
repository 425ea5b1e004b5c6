import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newPerson, signInAgain } from '../../../tests/people.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { trusted } from '../../platform/ids.ts'
import { endElsewhere } from './end-elsewhere.ts'

describe('endElsewhere: wherever a person is signed in but here', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  const endElsewhereOf = async ({ id, browser }: Awaited<ReturnType<typeof newPerson>>) => {
    const { sessions } = await browser.call('listSessions')
    const kept = sessions.find(({ current }) => current)?.id as string
    await transaction(office.database.db, (tx) =>
      endElsewhere(tx, trusted.userId(id), kept, office.clock.now()),
    )
  }

  it('ends other sessions, and this one goes on', async () => {
    const person = await newPerson(office)
    const { browser: other } = await signInAgain(office, person.email)
    await endElsewhereOf(person)
    // no node is told here: the database is asked
    office.clock.advance(10)
    expect(await other.request('getCurrentUser')).toMatchObject({ status: 401 })
    expect(await person.browser.request('getCurrentUser')).toMatchObject({ status: 200 })
  })

  it('ends sign-ins that wait for the choice of an organization, theirs alone', async () => {
    const [person, somebody] = [await newFounder(office), await newFounder(office)]
    const waiting = []
    for (const { browser, email, organizationId } of [person, somebody]) {
      await browser.call('createOrganization', { name: 'Second' })
      const { browser: other, user } = await signInAgain(office, email)
      const { pendingAuthenticationToken } = user as { pendingAuthenticationToken: string }
      waiting.push(() => other.request('selectOrganization', { pendingAuthenticationToken, organizationId }))
    }
    await endElsewhereOf(person)
    const answers = []
    for (const choose of waiting) answers.push(await choose())
    expect(answers).toMatchObject([
      { status: 400, body: { error: 'invalid-pending-authentication-token' } },
      { status: 200 },
    ])
  })
})
