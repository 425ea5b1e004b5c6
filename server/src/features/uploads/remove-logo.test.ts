import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hold, untilBlocked } from '../../../tests/held-locks.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newPerson } from '../../../tests/people.ts'

describe('removeLogo', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('is refused in words where the organization is deleted meanwhile', async () => {
    const { browser, organizationId } = await newFounder(office)
    const deletion = await hold(
      office,
      'update organizations set deleted_at = now() where identity_organization_id = $1',
      [organizationId],
    )
    const removed = browser.request('removeLogo')
    await untilBlocked(office, 1)
    await deletion.commit()
    expect(await removed).toMatchObject({ status: 403, body: { error: 'no-active-organization' } })
  })

  it('waits for no call that only writes of the organization, which may wait for the trail that it holds', async () => {
    const { browser, organizationId } = await newFounder(office)
    const writing = await hold(
      office,
      'select 1 from organizations where identity_organization_id = $1 for key share',
      [organizationId],
    )
    const removed = browser.request('removeLogo').then(({ status }) => status)
    const first = await Promise.race([removed, untilBlocked(office, 1)])
    await writing.letGo()
    expect(first).toBe(204)
  })

  it('does not mind where there is none', async () => {
    const { browser } = await newFounder(office)
    expect(await browser.request('removeLogo')).toMatchObject({ status: 204, body: undefined })
  })

  it('answers 403 without an active organization, 401 without a session', async () => {
    const { browser } = await newPerson(office)
    expect(await browser.request('removeLogo')).toMatchObject({ status: 403 })
    expect(await office.browser().request('removeLogo')).toMatchObject({ status: 401 })
  })
})
