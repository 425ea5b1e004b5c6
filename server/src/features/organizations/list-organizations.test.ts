import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newPerson } from '../../../tests/people.ts'

describe('listOrganizations', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('lists the caller’s own, oldest membership first, and none of others', async () => {
    const founder = await newFounder(office, 'First')
    const second = await founder.browser.call('createOrganization', { name: 'Second' })
    await newFounder(office, 'Foreign')
    expect(await founder.browser.call('listOrganizations')).toEqual([
      { organizationId: founder.organizationId, organizationName: 'First', userRole: 'admin' },
      { organizationId: second.id, organizationName: 'Second', userRole: 'admin' },
    ])
  })

  it('leaves out deleted organizations and memberships that are not active', async () => {
    const founder = await newFounder(office)
    await founder.browser.call('createOrganization', { name: 'Second' })
    await office.database.pool.query(
      'update organizations set deleted_at = now() where identity_organization_id = $1',
      [founder.organizationId],
    )
    expect(await founder.browser.call('listOrganizations')).toMatchObject([{ organizationName: 'Second' }])
    await office.database.pool.query(`update memberships set status = 'inactive' where user_id = $1`, [
      founder.id,
    ])
    expect(await founder.browser.call('listOrganizations')).toEqual([])
  })

  it('is empty for a person without one', async () => {
    const { browser } = await newPerson(office)
    expect(await browser.call('listOrganizations')).toEqual([])
  })

  it('is refused without a session', async () => {
    expect(await office.browser().request('listOrganizations')).toMatchObject({ status: 401 })
  })
})
