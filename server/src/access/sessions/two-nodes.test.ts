import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember, newPerson } from '../../../tests/people.ts'
import { until } from '../../../tests/until.ts'

/**
 * What one node takes from a person is taken at the other, by every operation that takes something. How fast is
 * measured by `npm run test:engines postgres`.
 */
describe('the other of two nodes', () => {
  let office: TestOffice
  let other: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
    other = await openTestOffice({ beside: office })
  })
  afterAll(async () => {
    await other.close()
    await office.close()
  })

  const atOther = async (cookie: string, path: string) => {
    const headers = { cookie: `atrium_session=${cookie}` }
    const response = await fetch(other.baseUrl + path, { method: 'POST', headers })
    await response.arrayBuffer()
    return response.status
  }
  const changes = {
    'a sign-out': async () => {
      const { browser, cookie } = await newPerson(office)
      const probe = () => atOther(cookie, '/user/get')
      return { run: () => browser.call('signOut'), probe, refusal: 401 }
    },
    'the removal of a member': async () => {
      const admin = await newFounder(office)
      const { id, cookie } = await newMember(office, admin, 'member')
      const probe = () => atOther(cookie, '/members/list')
      return { run: () => admin.browser.call('removeMember', { id }), probe, refusal: 403 }
    },
    'another role': async () => {
      const admin = await newFounder(office)
      const { id, cookie } = await newMember(office, admin, 'admin')
      const probe = () => atOther(cookie, '/api/v1/organizations/audit-log/list')
      return { run: () => admin.browser.call('updateMember', { id, role: 'member' }), probe, refusal: 403 }
    },
    'the deletion of the organization': async () => {
      const { browser, cookie, organizationId } = await newFounder(office)
      const probe = () => atOther(cookie, '/members/list')
      return { run: () => browser.call('deleteOrganization', { organizationId }), probe, refusal: 403 }
    },
  }

  for (const [name, prepare] of Object.entries(changes)) {
    it(`is told of ${name}`, async () => {
      const { run, probe, refusal } = await prepare()
      await until(async () => (await probe()) === 200)
      // what it remembers does not grow stale meanwhile
      office.clock.advance(-60)
      await run()
      await until(async () => (await probe()) === refusal)
      office.clock.advance(60)
    })

    it(`finds ${name} by itself within ten seconds of the clock where nothing is told`, async () => {
      const { run, probe, refusal } = await prepare()
      await until(async () => (await probe()) === 200)
      const tables = ['sessions', 'memberships', 'organizations']
      for (const table of tables)
        await office.database.pool.query(`alter table ${table} disable trigger user`)
      await run()
      for (const table of tables) await office.database.pool.query(`alter table ${table} enable trigger user`)
      office.clock.advance(10)
      expect(await probe()).toBe(refusal)
    })
  }
})
