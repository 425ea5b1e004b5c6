import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GROUP, newDirectory, newGroup, newGroupName, provisioned } from '../../../../tests/chapters/scim.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { auditOf, newMember } from '../../../../tests/people.ts'

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice()
})
afterAll(() => office.close())

describe('a group', () => {
  it('has people of the organization, and is shown with them', async () => {
    const directory = await newDirectory(office)
    const one = await provisioned(directory)
    const member = await newMember(office, directory.founder, 'member')
    const made = await directory.scim.send('POST', '/Groups', {
      schemas: [GROUP],
      displayName: 'Engineering',
      externalId: 'g1',
      members: [{ value: one.id, display: 'whatever' }, { value: member.id }],
    })
    const url = `${office.office.config.baseUrl}/scim/v2`
    const { id } = made.body
    expect(made).toMatchObject({ status: 201 })
    expect(made.body).toEqual({
      schemas: [GROUP],
      id,
      externalId: 'g1',
      displayName: 'Engineering',
      members: [one.id, member.id].map((value) => ({ value, $ref: `${url}/Users/${value}`, type: 'User' })),
      meta: {
        resourceType: 'Group',
        created: expect.any(String),
        lastModified: expect.any(String),
        location: `${url}/Groups/${id}`,
        version: made.headers.get('etag'),
      },
    })
    expect((await directory.scim.get(`/Users/${one.id}`)).body.groups).toEqual([
      { value: id, $ref: `${url}/Groups/${id}`, display: 'Engineering' },
    ])
    expect((await directory.scim.get(`/Groups/${id}?excludedAttributes=members`)).body).not.toHaveProperty(
      'members',
    )
    expect((await auditOf(directory.founder)).at(-1)).toMatchObject({
      action: 'directory-group.created',
      actor: { kind: 'directory', id: directory.connectionId },
      target: { kind: 'directory-group', id },
      detail: { displayName: 'Engineering', members: 2 },
    })
  })

  it('has a name of its own, in any case', async () => {
    const directory = await newDirectory(office)
    const post = (displayName: string) => directory.scim.send('POST', '/Groups', { displayName })
    expect((await post('Sales')).status).toBe(201)
    expect(await post('SALES')).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } })
    const other = await post('Other')
    const renamed = await directory.scim.patch(`/Groups/${other.body.id}`, {
      op: 'replace',
      path: 'displayName',
      value: 'sales',
    })
    expect(renamed).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } })
    expect(await post(' ')).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
    // the name is this organization's alone
    const elsewhere = await newDirectory(office)
    expect((await elsewhere.scim.send('POST', '/Groups', { displayName: 'Sales' })).status).toBe(201)
  })

  it('takes none of another organization, and is found by no other directory', async () => {
    const [one, other] = [await newDirectory(office), await newDirectory(office)]
    const stranger = await provisioned(other)
    for (const value of [stranger.id, '0', 'x', ''])
      expect(
        await one.scim.send('POST', '/Groups', { displayName: newGroupName(), members: [{ value }] }),
      ).toMatchObject({
        status: 400,
        body: { scimType: 'invalidValue' },
      })
    const id = await newGroup(other, stranger.id)
    for (const answer of [
      await one.scim.get(`/Groups/${id}`),
      await one.scim.send('PUT', `/Groups/${id}`, { displayName: 'Mine' }),
      await one.scim.patch(`/Groups/${id}`, { op: 'remove', path: 'members' }),
      await one.scim.send('DELETE', `/Groups/${id}`),
    ])
      expect(answer).toMatchObject({ status: 404, body: { status: '404' } })
    expect((await other.scim.get(`/Groups/${id}`)).body.members).toHaveLength(1)
    expect((await one.scim.get('/Groups')).body).toMatchObject({ totalResults: 0, Resources: [] })
  })

  it('takes no group for the user of the same number', async () => {
    const directory = await newDirectory(office)
    const { id: user } = await provisioned(directory)
    const group = await newGroup(directory)
    const ref = (kind: string) => `${office.office.config.baseUrl}/scim/v2/${kind}/${user}`
    for (const member of [
      { value: user, type: 'Group' },
      { value: user, type: 'group', $ref: ref('Users') },
      { value: user, $ref: ref('Groups') },
    ])
      for (const answer of [
        await directory.scim.send('POST', '/Groups', { displayName: newGroupName(), members: [member] }),
        await directory.scim.send('PUT', `/Groups/${group}`, { displayName: 'Inner', members: [member] }),
        await directory.scim.patch(`/Groups/${group}`, { op: 'add', path: 'members', value: [member] }),
      ])
        expect(answer).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
    expect((await directory.scim.get(`/Groups/${group}`)).body).not.toHaveProperty('members')
    const said = { value: user, type: 'user', $ref: ref('Users') }
    const added = await directory.scim.patch(`/Groups/${group}`, {
      op: 'add',
      path: 'members',
      value: [said],
    })
    expect(added.body.members).toHaveLength(1)
  })

  it('is changed by ten at once, each of whom is heard', async () => {
    const directory = await newDirectory(office)
    const people = await Promise.all(Array.from({ length: 10 }, () => provisioned(directory)))
    const id = await newGroup(directory)
    const answers = await Promise.all(
      people.map((person) =>
        directory.scim.patch(`/Groups/${id}`, { op: 'Add', path: 'members', value: [{ value: person.id }] }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect((await directory.scim.get(`/Groups/${id}`)).body.members).toHaveLength(10)
  })
})
