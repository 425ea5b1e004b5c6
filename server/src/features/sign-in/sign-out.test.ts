import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hold, untilBlocked } from '../../../tests/held-locks.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newPerson, signInAgain } from '../../../tests/people.ts'

describe('signOut', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice({ settings: { FRONTEND_URL: 'https://office.example' } })
  })
  afterAll(() => office.close())

  it('ends the session at once and answers where to go', async () => {
    const { browser } = await newPerson(office)
    expect((await browser.request('getCurrentUser')).status).toBe(200)
    const answer = await browser.request('signOut')
    expect(answer.body).toEqual({ authData: { redirectURL: 'https://office.example/' } })
    expect(answer.headers.get('set-cookie')).toMatch(/^atrium_session=; .*Expires=Thu, 01 Jan 1970/)
    expect(await browser.request('getCurrentUser')).toMatchObject({ status: 401, body: { code: 401 } })
  })

  it('leaves the sessions of other browsers alone, of the same person and of others', async () => {
    const [person, other] = [await newPerson(office), await newPerson(office)]
    const { browser: elsewhere } = await signInAgain(office, person.email)
    await person.browser.call('signOut')
    expect((await person.browser.request('getCurrentUser')).status).toBe(401)
    for (const browser of [elsewhere, other.browser])
      expect((await browser.request('getCurrentUser')).status).toBe(200)
  })

  it('ends the session too that is moving to another organization at that moment', async () => {
    const { browser, email, organizationId } = await newFounder(office)
    const { id: second } = await browser.call('createOrganization', { name: 'Second' })
    await browser.call('switchOrganization', { email, organizationId })
    // what a session that moves into the organization waits for
    const deciding = await hold(
      office,
      `select pg_advisory_xact_lock(hashtextextended('organization_retention', id)) from organizations
        where identity_organization_id = $1`,
      [second],
    )
    const moved = browser.request('switchOrganization', { email, organizationId: second })
    await untilBlocked(office, 1)
    const ended = browser.request('signOut')
    await untilBlocked(office, 2)
    await deciding.letGo()
    expect(await ended).toMatchObject({ status: 200 })
    const { headers } = await moved
    const cookie = /atrium_session=([^;]+)/.exec(headers.get('set-cookie') ?? '')?.[0]
    const asked = await fetch(`${office.baseUrl}/user/get`, {
      method: 'POST',
      headers: { cookie: cookie ?? '' },
    })
    expect(cookie).toBeDefined()
    expect(asked.status).toBe(401)
  })

  it('is refused without a session', async () => {
    expect(await office.browser().request('signOut')).toMatchObject({ status: 401 })
  })
})
