import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newPerson } from '../../../tests/people.ts'
import { until } from '../../../tests/until.ts'

const DAY = 24 * 60 * 60

describe('a session', () => {
  let office: TestOffice
  let second: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
    second = await openTestOffice({ beside: office })
  })
  afterAll(async () => {
    await second.close()
    await office.close()
  })

  const statusOn = async (node: TestOffice, cookie: string) => {
    const response = await fetch(`${node.baseUrl}/user/get`, {
      method: 'POST',
      headers: { cookie: `atrium_session=${cookie}` },
    })
    await response.arrayBuffer()
    return response.status
  }

  it('is known on every node', async () => {
    const person = await newPerson(office)
    expect(await statusOn(second, person.cookie)).toBe(200)
  })

  it('that ends on one node ends on the other', async () => {
    const person = await newPerson(office)
    expect(await statusOn(second, person.cookie)).toBe(200)
    await person.browser.call('signOut')
    expect(await statusOn(office, person.cookie)).toBe(401)
    await until(async () => (await statusOn(second, person.cookie)) === 401)
  })

  it('ends within ten seconds of the clock even where no notification comes', async () => {
    const person = await newPerson(office)
    expect(await statusOn(second, person.cookie)).toBe(200)
    // The trigger is what would tell the nodes.
    await office.database.pool.query('alter table sessions disable trigger sessions_changed')
    await office.database.pool.query('update sessions set revoked_at = now() where user_id = $1', [person.id])
    await office.database.pool.query('alter table sessions enable trigger sessions_changed')
    office.clock.advance(10)
    expect(await statusOn(second, person.cookie)).toBe(401)
  })

  it('is asked of the database while notifications are cut', async () => {
    const person = await newPerson(office)
    await statusOn(second, person.cookie)
    const isLive = second.office.notifications.isLive
    await office.database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and query ilike 'listen%'`,
    )
    await office.database.pool.query('update sessions set revoked_at = now() where user_id = $1', [person.id])
    await until(async () => (await statusOn(second, person.cookie)) === 401)
    await until(async () => isLive())
  })

  it('ends after seven days without use, and lives on with use', async () => {
    const [idle, busy] = [await newPerson(office), await newPerson(office)]
    for (let day = 0; day < 7; day++) {
      office.clock.advance(DAY)
      expect(await statusOn(office, busy.cookie)).toBe(200)
      await office.office.callers.settle()
    }
    office.clock.advance(1)
    expect(await statusOn(office, idle.cookie)).toBe(401)
    expect(await statusOn(office, busy.cookie)).toBe(200)
  })

  it('ends after thirty days of any use', async () => {
    const busy = await newPerson(office)
    for (let day = 0; day < 29; day++) {
      office.clock.advance(DAY)
      expect(await statusOn(office, busy.cookie)).toBe(200)
      await office.office.callers.settle()
    }
    office.clock.advance(DAY)
    expect(await statusOn(office, busy.cookie)).toBe(401)
  })

  it('has no active organization any more once the membership is gone, on every node', async () => {
    const founder = await newFounder(office)
    const current = async (node: TestOffice) => {
      const response = await fetch(`${node.baseUrl}/user/get`, {
        method: 'POST',
        headers: { cookie: `atrium_session=${founder.cookie}` },
      })
      return ((await response.json()) as { currentOrganizationId: string }).currentOrganizationId
    }
    expect(await current(second)).toBe(founder.organizationId)
    await office.database.pool.query(`update memberships set status = 'inactive' where user_id = $1`, [
      founder.id,
    ])
    await until(async () => (await current(second)) === '' && (await current(office)) === '')
  })

  it('has none any more once the organization is deleted', async () => {
    const founder = await newFounder(office)
    await office.database.pool.query(
      'update organizations set deleted_at = now() where identity_organization_id = $1',
      [founder.organizationId],
    )
    await until(async () => (await founder.browser.call('getCurrentUser')).currentOrganizationId === '')
  })

  it('is stored as a hash only', async () => {
    const person = await newPerson(office)
    const { rows } = await office.database.pool.query(
      'select sessions::text as text from sessions where user_id = $1',
      [person.id],
    )
    expect(rows[0].text).not.toContain(person.cookie)
  })

  it('has a Secure cookie with the __Host- prefix where the office is reached by https', async () => {
    const secure = await openTestOffice({ settings: { BASE_URL: 'https://atrium.example' } })
    try {
      const response = await fetch(`${secure.baseUrl}/auth/dev-sign-in`, { method: 'POST' })
      expect(response.headers.getSetCookie()[0]).toMatch(
        /^__Host-atrium_session=ats_[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      )
      expect(response.headers.get('strict-transport-security')).toContain('max-age=')
    } finally {
      await secure.close()
    }
  })
})
