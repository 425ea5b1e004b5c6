import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshEmail, openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { newFounder, type Person } from '../../../../tests/people.ts'
import { until } from '../../../../tests/until.ts'

describe('switchOrganization', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  async function inTwo() {
    const person = await newFounder(office, 'First')
    const second = await person.browser.call('createOrganization', { name: 'Second' })
    return { ...person, first: person.organizationId, second: second.id }
  }
  const move = (person: Person, organizationId: string, email = person.email) =>
    person.browser.request('switchOrganization', { email, organizationId })
  it('makes another organization the active one, under a new session id; the old one is dead', async () => {
    const person = await inTwo()
    const old = person.cookie
    const answer = await move(person, person.second)
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.body).toEqual({
      user: { id: person.id, email: person.email, firstName: '', lastName: '', avatarURL: '' },
    })
    expect(answer.headers.get('set-cookie')).toMatch(/^atrium_session=ats_[\w-]{43}; /)
    expect((await person.browser.call('getCurrentUser')).currentOrganizationId).toBe(person.second)
    const stale = await fetch(`${office.baseUrl}/user/get`, {
      method: 'POST',
      headers: { cookie: `atrium_session=${old}` },
    })
    expect(stale.status).toBe(401)
  })

  it('keeps when the session ends at the latest', async () => {
    const person = await inTwo()
    const ends = async () =>
      (
        await office.database.pool.query(
          'select absolute_expires_at from sessions where user_id = $1 and revoked_at is null',
          [person.id],
        )
      ).rows.map((row) => row.absolute_expires_at)
    const before = await ends()
    office.clock.advance(60)
    expect((await move(person, person.second)).status).toBe(200)
    expect(await ends()).toEqual(before)
  })

  it('is seen on a second node', async () => {
    const beside = await openTestOffice({ beside: office })
    try {
      const person = await inTwo()
      const headers = { cookie: `atrium_session=${person.cookie}` }
      const ask = () => fetch(`${beside.baseUrl}/user/get`, { method: 'POST', headers })
      expect((await ask()).status).toBe(200)
      await move(person, person.second)
      await until(async () => (await ask()).status === 401)
    } finally {
      await beside.close()
    }
  })

  it('refuses without a session (401), for another address (403), for organizations of others (404)', async () => {
    const person = await inTwo()
    const stranger = await newFounder(office)
    const anonymous = await office
      .browser()
      .request('switchOrganization', { email: person.email, organizationId: person.second })
    expect(anonymous).toMatchObject({ status: 401, body: { code: 401 } })
    for (const email of [stranger.email, freshEmail()]) {
      expect(await move(person, person.second, email)).toMatchObject({ status: 403, body: { code: 403 } })
    }
    expect((await move(person, person.second, 'no address')).status).toBe(400)
    for (const id of [stranger.organizationId, 'org_doesnotexist00', '1', '../users']) {
      expect(await move(person, id)).toMatchObject({ status: 404, body: { code: 404 } })
    }
    expect((await person.browser.call('getCurrentUser')).currentOrganizationId).toBe(person.first)
  })

  it('takes the address in any spelling', async () => {
    const person = await inTwo()
    expect((await move(person, person.second, ` ${person.email.toUpperCase()} `)).status).toBe(200)
  })

  it('reads the role anew, and refuses memberships that have ended', async () => {
    const person = await inTwo()
    await office.database.pool.query(
      `update memberships set status = 'inactive' from organizations o
       where o.id = organization_id and o.identity_organization_id = $1 and user_id = $2`,
      [person.second, person.id],
    )
    expect((await move(person, person.second)).status).toBe(404)
  })

  /** A click in a page that still has the earlier session cookie. */
  const click = async (
    person: Person,
    organizationId: string,
    more: { email?: string; origin?: string } = {},
  ) => {
    const { email = person.email, origin } = more
    const response = await fetch(`${office.baseUrl}/auth/switch-organization`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        cookie: `atrium_session=${person.cookie}`,
        ...(origin ? { origin } : {}),
      },
      body: JSON.stringify({ email, organizationId }),
    })
    return { status: response.status, body: await response.json(), cookies: response.headers.getSetCookie() }
  }

  it('answers a second click as it did the first, for five seconds, without a cookie', async () => {
    const person = await inTwo()
    const [first, second] = [await click(person, person.second), await click(person, person.second)]
    expect(first).toMatchObject({ status: 200, cookies: [expect.stringContaining('atrium_session=')] })
    expect(second).toEqual({ status: 200, body: first.body, cookies: [] })
    office.clock.advance(6)
    expect(await click(person, person.second)).toMatchObject({ status: 401 })
  })

  it('opens nothing else by the session id of before', async () => {
    const person = await inTwo()
    const stranger = await newFounder(office)
    await move(person, person.second)
    for (const organization of [person.first, stranger.organizationId, 'org_doesnotexist00'])
      expect(await click(person, organization)).toMatchObject({ status: 401 })
    expect(await click(person, person.second, { email: stranger.email })).toMatchObject({ status: 403 })
    expect(await click(person, person.second, { origin: 'https://evil.example' })).toMatchObject({
      status: 403,
    })
    for (const path of ['/user/get', '/auth/sign-out', '/api/v1/organizations/list']) {
      const headers = { cookie: `atrium_session=${person.cookie}` }
      expect((await fetch(office.baseUrl + path, { method: 'POST', headers })).status).toBe(401)
    }
    expect((await click(person, person.second)).status).toBe(200)
  })

  it('answers no second click once the new session has ended, or has moved on', async () => {
    const [gone, moved] = [await inTwo(), await inTwo()]
    await move(gone, gone.second)
    await gone.browser.call('signOut')
    expect((await click(gone, gone.second)).status).toBe(401)
    await move(moved, moved.second)
    await move(moved, moved.first)
    for (const organization of [moved.first, moved.second])
      expect((await click(moved, organization)).status).toBe(401)
  })

  it('moves once of 20 at the same time, and leaves one session', async () => {
    const person = await inTwo()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        fetch(`${office.baseUrl}/auth/switch-organization`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', cookie: `atrium_session=${person.cookie}` },
          body: JSON.stringify({ email: person.email, organizationId: person.second }),
        }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(answers.filter(({ headers }) => headers.getSetCookie().length > 0)).toHaveLength(1)
    const { rows } = await office.database.pool.query(
      'select 1 from sessions where user_id = $1 and revoked_at is null',
      [person.id],
    )
    expect(rows).toHaveLength(1)
  })
})
