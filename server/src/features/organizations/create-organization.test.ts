import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newPerson } from '../../../tests/people.ts'

describe('createOrganization', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('makes the creator its admin, and it the active one where none was', async () => {
    const { browser } = await newPerson(office)
    const created = await browser.call('createOrganization', { name: ' Acme ' })
    expect(created).toEqual({
      id: expect.stringMatching(/^org_[0-9A-Z]{26}$/),
      organizationName: 'Acme',
      domains: [],
    })
    expect(await browser.call('getCurrentUser')).toMatchObject({
      currentOrganizationId: created.id,
      organizationMemberships: [
        { organization: { id: created.id, name: 'Acme' }, role: 'admin', status: 'active' },
      ],
    })
  })

  it('leaves the active organization as it is where there is one', async () => {
    const { browser } = await newPerson(office)
    const first = await browser.call('createOrganization', { name: 'First' })
    await browser.call('createOrganization', { name: 'Second' })
    expect((await browser.call('getCurrentUser')).currentOrganizationId).toBe(first.id)
  })

  it('becomes the active one where the membership of the last was lost', async () => {
    const { browser, id } = await newPerson(office)
    await browser.call('createOrganization', { name: 'Lost' })
    await office.database.pool.query('delete from memberships where user_id = $1', [id])
    const second = await browser.call('createOrganization', { name: 'Second' })
    expect((await browser.call('getCurrentUser')).currentOrganizationId).toBe(second.id)
  })

  it('lets two organizations have one name', async () => {
    const [one, two] = [await newPerson(office), await newPerson(office)]
    const ids = [
      await one.browser.call('createOrganization', { name: 'Acme' }),
      await two.browser.call('createOrganization', { name: 'Acme' }),
    ]
    expect(ids[0]?.id).not.toBe(ids[1]?.id)
  })

  it('activates one of ten made at once, and makes them all', async () => {
    const { browser } = await newPerson(office)
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, n) => browser.call('createOrganization', { name: `Org ${n}` })),
    )
    const user = await browser.call('getCurrentUser')
    expect(user.organizationMemberships).toHaveLength(10)
    expect(made.map((organization) => organization.id)).toContain(user.currentOrganizationId)
  })

  it.each(['', '   ', 'x'.repeat(101), 'a\nb'])('refuses the name %j', async (name) => {
    const { browser } = await newPerson(office)
    const answer = await browser.request('createOrganization', { name })
    expect(answer).toMatchObject({ status: 400, body: { details: [{ field: 'name' }] } })
    expect(await browser.call('listOrganizations')).toEqual([])
  })

  it('is refused without a session', async () => {
    expect(await office.browser().request('createOrganization', { name: 'Acme' })).toMatchObject({
      status: 401,
    })
  })
})
