import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Directory, newDirectory, provisioned } from '../../../../tests/chapters/scim.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'

describe('lists', () => {
  let office: TestOffice
  let directory: Directory
  const names = ['Ada', 'bob', 'Cleo', 'dan', 'Eve']
  beforeAll(async () => {
    office = await openTestOffice()
    directory = await newDirectory(office)
    for (const name of names)
      await provisioned(directory, {
        userName: `${name}.${directory.domain}`,
        emails: [{ value: `${name}@${directory.domain}` }],
        displayName: `${name} Smith`,
        ...(name === 'dan' ? {} : { externalId: `x-${name}` }),
        active: name !== 'Eve',
      })
    for (const displayName of ['Red', 'Blue']) await directory.scim.send('POST', '/Groups', { displayName })
  })
  afterAll(() => office.close())

  const get = async (path: string, query: Record<string, string>) =>
    (await directory.scim.get(`${path}?${new URLSearchParams(query)}`)).body
  const shown = async (query: Record<string, string>) =>
    (await get('/Users', query)).Resources.map(
      ({ displayName }: { displayName: string }) => displayName.split(' ')[0],
    )

  it.each([
    ['userName sw "A"', ['Ada']],
    ['userName co "O" and externalId pr', ['bob', 'Cleo']],
    ['externalId eq "x-bob"', ['bob']],
    ['externalId eq "X-BOB"', []],
    ['emails.value eq "CLEO@DOMAIN"', ['Cleo']],
    ['emails[type eq "work"].value eq "cleo@DOMAIN"', ['Cleo']],
    ['emails[type eq "home"].value eq "cleo@DOMAIN"', []],
    ['emails eq "cleo@DOMAIN"', ['Cleo']],
    ['not (displayName co "Smith")', ['founder']],
    ['active eq false', ['Eve']],
    ['roles.value eq "admin"', ['founder']],
    ['externalId eq "x-Ada" or externalId eq "x-bob"', ['Ada', 'bob']],
    ['id eq "x"', []],
    [
      'meta.created gt "2020-01-01T00:00:00Z" and userName ew "DOMAIN" and displayName ne "bob Smith"',
      ['Ada', 'Cleo', 'dan', 'Eve'],
    ],
  ])('of those for whom %s', async (filter, expected) => {
    const founder = (await directory.founder.browser.call('getCurrentUser')).displayName
    const found = await shown({ filter: filter.replaceAll('DOMAIN', directory.domain) })
    expect(found).toEqual(expected.map((name) => (name === 'founder' ? founder : name)))
  })

  it('come in pages', async () => {
    const all: string[] = []
    for (let startIndex = 1; startIndex <= 6; startIndex += 2) {
      const page = await get('/Users', { startIndex: String(startIndex), count: '2' })
      expect(page).toMatchObject({ totalResults: 6, startIndex, itemsPerPage: 2 })
      all.push(...page.Resources.map(({ id }: { id: string }) => id))
    }
    expect(new Set(all).size).toBe(6)
    expect(await get('/Users', { startIndex: '7' })).toMatchObject({
      totalResults: 6,
      itemsPerPage: 0,
      Resources: [],
    })
    expect(await get('/Users', { count: '0' })).toMatchObject({ totalResults: 6, Resources: [] })
    expect(await get('/Users', { startIndex: '-3', count: '-1' })).toMatchObject({
      startIndex: 1,
      itemsPerPage: 0,
    })
    const filtered = await get('/Users', { filter: 'displayName co "Smith"', startIndex: '2', count: '2' })
    expect(filtered).toMatchObject({ totalResults: 5, startIndex: 2, itemsPerPage: 2 })
    expect(await get('/Users', { count: '1000000' })).toMatchObject({ itemsPerPage: 6 })
  })

  it('come in an order; what has no value comes last', async () => {
    const filter = 'displayName co "Smith"'
    expect(await shown({ filter, sortBy: 'displayName' })).toEqual(names)
    expect(await shown({ filter, sortBy: 'USERNAME', sortOrder: 'descending' })).toEqual(names.toReversed())
    expect((await shown({ filter, sortBy: 'externalId' })).at(-1)).toBe('dan')
    expect(await shown({ filter, sortBy: 'emails', count: '1', startIndex: '2' })).toEqual(['bob'])
    expect((await get('/Groups', { sortBy: 'displayName' })).Resources).toMatchObject([
      { displayName: 'Blue' },
      { displayName: 'Red' },
    ])
  })

  it('show what is asked for, and always who it is', async () => {
    const filter = 'externalId eq "x-Ada"'
    const [one] = (await get('/Users', { filter, attributes: 'userName,emails.value,nothing,title' }))
      .Resources
    expect(Object.keys(one).sort()).toEqual(['emails', 'id', 'schemas', 'userName'])
    expect(one.emails).toEqual([{ value: `ada@${directory.domain}` }])
    const [other] = (
      await get('/Users', { filter, excludedAttributes: 'id,schemas,emails,meta.version,roles' })
    ).Resources
    expect(other).toMatchObject({ id: one.id, schemas: one.schemas, meta: { resourceType: 'User' } })
    for (const gone of ['emails', 'roles']) expect(other).not.toHaveProperty(gone)
    expect(other.meta).not.toHaveProperty('version')
    const both = await directory.scim.get('/Users?attributes=id&excludedAttributes=id')
    expect(both).toMatchObject({ status: 400, body: { scimType: 'invalidSyntax' } })
  })

  it('are asked for by POST too, of one kind or of both', async () => {
    const search = (path: string, body: object) => directory.scim.send('POST', `${path}/.search`, body)
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:SearchRequest']
    const users = await search('/Users', {
      schemas,
      filter: 'userName sw "a"',
      attributes: ['displayName'],
      count: 1,
    })
    expect(users).toMatchObject({
      status: 200,
      body: { totalResults: 1, Resources: [{ displayName: 'Ada Smith' }] },
    })
    expect((await search('/Groups', { schemas, filter: 'displayName eq "RED"' })).body).toMatchObject({
      totalResults: 1,
    })
    const both = await search('', { schemas, filter: 'displayName sw "b"', sortBy: 'displayName' })
    expect(both.body.Resources).toMatchObject([
      { displayName: 'Blue', meta: { resourceType: 'Group' } },
      { displayName: 'bob Smith', meta: { resourceType: 'User' } },
    ])
    expect((await search('', { filter: 'userName sw "b"' })).body).toMatchObject({ totalResults: 1 })
    expect((await search('', {})).body).toMatchObject({ totalResults: 8 })
    expect(await search('', { filter: 'nothing eq "x"' })).toMatchObject({
      status: 400,
      body: { scimType: 'invalidFilter' },
    })
    expect(await directory.scim.send('POST', '/.search')).toMatchObject({ status: 400 })
  })

  it.each([
    ['filter', 'userName is "x"', 'invalidFilter'],
    ['filter', 'nothing eq "x"', 'invalidFilter'],
    ['filter', 'title eq "x"', 'invalidFilter'],
    ['filter', 'emails[nothing eq "x"]', 'invalidFilter'],
    // the name decides the search already, and the rest is read all the same
    ['filter', 'userName eq "nobody" and emails[nothing eq "x"]', 'invalidFilter'],
    ['filter', '('.repeat(40), 'invalidFilter'],
    ['sortBy', 'nothing', 'invalidPath'],
    ['count', 'many', 'invalidValue'],
    ['startIndex', '1.5', 'invalidValue'],
  ])('are refused with %s=%s', async (name, value, scimType) => {
    const answer = await directory.scim.get(`/Users?${new URLSearchParams({ [name]: value })}`)
    expect(answer).toMatchObject({ status: 400, body: { status: '400', scimType } })
  })

  it('of a thousand people are read in parts, and one is found among them', async () => {
    const large = await newDirectory(office)
    await office.database.pool.query(
      `with made as (insert into users (identity_user_id, email, display_name, created_at, updated_at)
        select 'user_large' || n || $1, 'large' || n || '@' || $1, 'Large ' || n, now(), now()
        from generate_series(1, 1000) n returning id)
      insert into memberships (organization_id, user_id, role, status, created_at, updated_at)
      select o.id, made.id, 'member', 'active', now(), now() from made, organizations o
      where o.identity_organization_id = $2`,
      [large.domain, large.founder.organizationId],
    )
    const page = await large.scim.get('/Users?count=1000')
    expect(page.body).toMatchObject({ totalResults: 1_001, itemsPerPage: 200 })
    const one = await large.scim.get(
      `/Users?filter=${encodeURIComponent(`userName eq "large77@${large.domain}"`)}`,
    )
    expect(one.body).toMatchObject({ totalResults: 1 })
    const many = await large.scim.get(
      `/Users?filter=${encodeURIComponent('displayName sw "Large" and displayName ew "7"')}&count=10`,
    )
    expect(many.body).toMatchObject({ totalResults: 100, itemsPerPage: 10 })
    const last = await large.scim.get(
      `/Users?filter=${encodeURIComponent('displayName sw "Large"')}&sortBy=displayName&sortOrder=descending&count=2`,
    )
    expect(last.body).toMatchObject({
      totalResults: 1_000,
      Resources: [{ displayName: 'Large 999' }, { displayName: 'Large 998' }],
    })
    const both = await large.scim.send('POST', '/.search', { startIndex: 1_001, count: 5 })
    expect(both.body).toMatchObject({ totalResults: 1_001, itemsPerPage: 1 })
  })

  it('of groups are as long as one answer may be: the largest are read in pages of their people', async () => {
    const large = await newDirectory(office)
    const made = []
    for (const displayName of ['A', 'B', 'C'])
      made.push((await large.scim.send('POST', '/Groups', { displayName })).body.id)
    const [all, few, most] = made
    const { pool } = office.database
    const { rows } = await pool.query(
      `with made as (insert into users (identity_user_id, email, display_name, created_at, updated_at)
        select 'user_of_group' || n || $1, 'of-group' || n || '@' || $1, 'Of group ' || n, now(), now()
        from generate_series(1, 10001) n returning id),
      provisioned as (
        insert into scim_users (organization_id, user_id, user_name, created_at, updated_at)
        select o.id, made.id, 'of-group-' || made.id, now(), now() from made, organizations o
        where o.identity_organization_id = $2)
      insert into memberships (organization_id, user_id, role, status, created_at, updated_at)
      select o.id, made.id, 'member', 'active', now(), now() from made, organizations o
      where o.identity_organization_id = $2 returning user_id as id`,
      [large.domain, large.founder.organizationId],
    )
    const fill = (group: string, count: number) =>
      pool.query(
        `insert into scim_group_members (organization_id, group_id, user_id)
        select g.organization_id, g.id, u from scim_groups g, unnest($2::bigint[]) u where g.id = $1`,
        [group, rows.slice(0, count).map(({ id }) => id)],
      )
    await fill(most, 10_001)
    await fill(all, 6_000)
    await fill(few, 3)

    const list = (query: string) => large.scim.get(`/Groups?${query}`)
    expect((await list('')).body).toMatchObject({
      totalResults: 3,
      itemsPerPage: 2,
      Resources: [{ displayName: 'A' }, { displayName: 'B' }],
    })
    const tooMany = { status: 400, body: { scimType: 'tooMany' } }
    expect(await list('startIndex=3')).toMatchObject(tooMany)
    expect((await list('excludedAttributes=members')).body).toMatchObject({ itemsPerPage: 3 })
    expect(await large.scim.get(`/Groups/${most}`)).toMatchObject(tooMany)
    expect(await large.scim.get(`/Groups/${most}?excludedAttributes=members`)).toMatchObject({ status: 200 })
    expect((await large.scim.get(`/Groups/${few}`)).body.members).toHaveLength(3)
    const people = `/Users?filter=${encodeURIComponent(`groups.value eq "${most}"`)}&startIndex=10001&count=200`
    expect((await large.scim.get(people)).body).toMatchObject({ totalResults: 10_001, itemsPerPage: 1 })
    const isIn = (id: string) => `filter=${encodeURIComponent(`id eq "${most}" and members eq "${id}"`)}`
    const [first] = rows
    expect((await list(`${isIn(first.id)}&attributes=id`)).body).toMatchObject({ totalResults: 1 })
    expect((await list(`${isIn('1')}&attributes=id`)).body).toMatchObject({ totalResults: 0 })

    const long = Array.from({ length: 200 }, (_, n) => `members eq "${n}"`).join(' or ')
    expect(await list(`filter=${encodeURIComponent(long)}&attributes=id`)).toMatchObject(tooMany)

    // who changes it is heard, and answered without them
    const remove = { op: 'remove', path: `members[value eq "${first.id}"]` }
    const changed = await large.scim.patch(`/Groups/${most}`, remove)
    expect(changed).toMatchObject({ status: 200 })
    expect((await large.scim.get(`/Groups/${most}`)).body.members).toHaveLength(10_000)
    const add = { op: 'add', path: 'members', value: [{ value: first.id }] }
    const again = await large.scim.patch(`/Groups/${most}`, add)
    expect([again.status, 'members' in again.body]).toEqual([200, false])
  })
})
