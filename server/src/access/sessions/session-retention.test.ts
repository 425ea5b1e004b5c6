import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { linkTokenOf, newFounder, newPerson, type Person, signInAgain } from '../../../tests/people.ts'
import { until } from '../../../tests/until.ts'

const DAY = 24 * 60 * 60

describe('sessions in an organization that wants people to sign in more often', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  const isSignedIn = async ({ browser }: Pick<Person, 'browser'>) =>
    (await browser.request('getCurrentUser')).status === 200
  const limit = ({ browser }: Pick<Person, 'browser'>, sessionDays: number | null) =>
    browser.call('updateOrganizationRetention', { sessionDays })
  /** Some days of work, of each person on each day. */
  const work = async (days: number, ...people: Pick<Person, 'browser'>[]) => {
    for (let day = 0; day < days; day += 1) {
      office.clock.advance(DAY)
      for (const person of people) await isSignedIn(person)
    }
  }
  const enter = ({ browser }: Pick<Person, 'browser'>, email: string, organizationId: string) =>
    browser.request('switchOrganization', { email, organizationId })

  it('end so long after the sign-in: those that were there before, and new ones', async () => {
    const [founder, other] = [await newFounder(office), await newFounder(office)]
    await work(2, founder, other)
    await limit(founder, 3)
    expect(await isSignedIn(founder)).toBe(true)
    await work(1, founder, other)
    expect([await isSignedIn(founder), await isSignedIn(other)]).toEqual([false, true])
    const again = await signInAgain(office, founder.email)
    await work(2, again)
    expect(await isSignedIn(again)).toBe(true)
    await work(1, again)
    expect(await isSignedIn(again)).toBe(false)
    await limit(await signInAgain(office, founder.email), null)
    const free = await signInAgain(office, founder.email)
    await work(4, free)
    expect(await isSignedIn(free)).toBe(true)
  })

  it('end with their tokens where the rule comes too late for them', async () => {
    const [founder, other] = [await newFounder(office), await newFounder(office)]
    await work(1, founder, other)
    office.clock.advance(DAY - 1_800)
    const chat = async ({ browser }: Pick<Person, 'browser'>) => {
      const { token } = await browser.call('mintChatToken')
      return async () => {
        const headers = { authorization: `Bearer ${token}` }
        return (await fetch(`${office.baseUrl}/rest/v1/conversations`, { headers })).status
      }
    }
    const [asFounder, asOther] = [await chat(founder), await chat(other)]
    expect([await asFounder(), await asOther()]).toEqual([200, 200])
    // in half an hour it would be over: the token says an hour
    await limit(founder, 2)
    await until(async () => (await asFounder()) === 401)
    expect([await isSignedIn(founder), await asOther()]).toEqual([false, 200])
  })

  it('cannot enter it when the sign-in is too long ago, and keep its end where they leave it', async () => {
    const strict = await newFounder(office, 'Strict')
    await limit(strict, 4)
    const inviteToken = await linkTokenOf(strict)
    const [late, early] = [await newFounder(office, 'Late'), await newFounder(office, 'Early')]
    for (const { browser } of [late, early]) await browser.call('joinOrganization', { inviteToken })
    await enter(early, early.email, strict.organizationId)
    expect((await enter(early, early.email, early.organizationId)).status).toBe(200)
    await work(3, late, early)
    expect([await isSignedIn(late), await isSignedIn(early)]).toEqual([true, true])
    await work(1, late, early)
    // it was at work there once
    expect([await isSignedIn(late), await isSignedIn(early)]).toEqual([true, false])
    expect(await enter(late, late.email, strict.organizationId)).toMatchObject({
      status: 403,
      body: { error: 'signed-in-too-long-ago' },
    })
    expect((await late.browser.call('getCurrentUser')).currentOrganizationId).toBe(late.organizationId)
  })

  it('become a member from nowhere, and work there after another sign-in', async () => {
    const founder = await newFounder(office)
    await limit(founder, 2)
    const newcomer = await newPerson(office)
    await work(3, newcomer)
    const admin = await signInAgain(office, founder.email)
    const inviteToken = await linkTokenOf({ ...founder, browser: admin.browser })
    expect((await newcomer.browser.request('joinOrganization', { inviteToken })).status).toBe(200)
    const { currentOrganizationId, organizationMemberships } = await newcomer.browser.call('getCurrentUser')
    expect([currentOrganizationId, organizationMemberships.length]).toEqual(['', 1])
    const again = await signInAgain(office, newcomer.email)
    expect((await again.browser.call('getCurrentUser')).currentOrganizationId).toBe(founder.organizationId)
  })
})
