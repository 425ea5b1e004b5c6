import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshEmail, openTestOffice, type TestOffice } from '../office.ts'
import { newFounder, newPerson, pilotTokenOf, signInAgain } from '../people.ts'
import { until } from '../until.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Each with the job that clears it. */
const JOBS = {
  sessions: 'purge-sessions',
  email_codes: 'purge-email-codes',
  pending_sign_ins: 'purge-pending-sign-ins',
  redirect_sign_ins: 'purge-redirect-sign-ins',
  code_requests: 'purge-code-requests',
  rate_limits: 'purge-rate-limits',
}

describe('what is over', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice({ settings: { RATE_LIMIT_CODES_PER_EMAIL: '50' } })
    await until(async () => office.office.jobs.isLeader())
  })
  afterAll(() => office.close())

  /** How many rows each table has after its job. */
  async function left(): Promise<Record<string, number>> {
    const counts: Record<string, number> = {}
    for (const [table, job] of Object.entries(JOBS)) {
      await office.office.jobs.runNow(job)
      const { rows } = await office.database.pool.query(`select count(*)::int as count from ${table}`)
      counts[table] = rows[0].count
    }
    return counts
  }

  it('is deleted a day later, and nothing else', async () => {
    const founder = await newFounder(office)
    await founder.browser.call('createOrganization', { name: 'Second' })
    // of several organizations, one is still to be chosen
    await signInAgain(office, founder.email)
    await office.browser().call('continueWithProviderA')
    const inviteToken = await pilotTokenOf(office)
    await office.browser().call('adminSignUp', { email: freshEmail(), inviteToken })
    const before = await left()
    for (const count of Object.values(before)) expect(count).toBeGreaterThan(0)

    office.clock.advance(DAY - MINUTE)
    expect(await left()).toEqual(before)
    office.clock.advance(HOUR + 2 * MINUTE)
    const none = Object.fromEntries(Object.keys(JOBS).map((table) => [table, 0]))
    expect(await left()).toEqual({ ...none, sessions: before.sessions })
    office.clock.advance(8 * DAY)
    const person = await newPerson(office)
    expect((await left()).sessions).toBe(1)
    expect((await person.browser.request('getCurrentUser')).status).toBe(200)
  })
})
