import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember, newPerson, type Person } from '../../../tests/people.ts'

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

describe('how many organizations one person may found', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice({ settings: { ORGANIZATIONS_PER_USER: '3' } })
  })
  afterAll(() => office.close())

  const found = ({ browser }: Person) => browser.request('createOrganization', { name: 'Acme' })
  const FULL = { status: 409, body: { error: 'too-many-organizations' } }

  it('is limited, also for those who work elsewhere besides; those that others have founded do not count', async () => {
    const person = await newPerson(office)
    for (let n = 0; n < 2; n += 1) await newMember(office, await newFounder(office), 'admin', person)
    for (let n = 0; n < 3; n += 1) expect(await found(person)).toMatchObject({ status: 200 })
    expect(await found(person)).toMatchObject(FULL)
    expect(await person.browser.call('listOrganizations')).toHaveLength(5)
    expect(await found(await newPerson(office))).toMatchObject({ status: 200 })
  })

  it('holds for many at once', async () => {
    const person = await newPerson(office)
    await found(person)
    const answers = await Promise.all(Array.from({ length: 10 }, () => found(person)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, ...Array(8).fill(409)])
    expect(await person.browser.call('listOrganizations')).toHaveLength(3)
  })

  it('counts what was deleted for a day, and what they have left for as long as it is there', async () => {
    const person = await newPerson(office)
    const founded = []
    for (let n = 0; n < 3; n += 1)
      founded.push((await person.browser.call('createOrganization', { name: 'Acme' })).id)
    const [deleted, left] = founded as [string, string]
    await person.browser.call('deleteOrganization', { organizationId: deleted })
    await office.database.pool.query(
      `delete from memberships where organization_id =
        (select id from organizations where identity_organization_id = $1)`,
      [left],
    )
    expect(await found(person)).toMatchObject(FULL)
    office.clock.advance(24 * 60 * 60)
    expect(await found(person)).toMatchObject({ status: 200 })
    expect(await found(person)).toMatchObject(FULL)
  })
})
