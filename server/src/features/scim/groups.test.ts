import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { auditOf, newMember } from '../../../tests/people.ts'
import { type Directory, GROUP, newDirectory, newGroupName, provisioned } from '../../../tests/scim.ts'

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice()
})
afterAll(() => office.close())

async function newGroup({ scim }: Pick<Directory, 'scim'>, ...members: string[]): Promise<string> {
  const group = {
    schemas: [GROUP],
    displayName: newGroupName(),
    members: members.map((value) => ({ value })),
  }
  const { status, body } = await scim.send('POST', '/Groups', group)
  if (status !== 201) throw new Error(`no group: ${status} ${JSON.stringify(body)}`)
  return body.id
}

async function roleOf({ scim }: Pick<Directory, 'scim'>, id: string): Promise<string | undefined> {
  return (await scim.get(`/Users/${id}`)).body.roles?.[0]?.value
}

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

  it('takes nobody of another organization, and is found by no other directory', async () => {
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

describe('the role of a group', () => {
  it('is said by an admin, held by its people at once, and gone with the group', async () => {
    const directory = await newDirectory(office)
    const { id: person } = await provisioned(directory)
    const group = await newGroup(directory, person)
    const { browser } = directory.founder
    expect(await roleOf(directory, person)).toBe('member')
    const update = await browser.call('updateDirectoryGroup', { id: group, role: 'admin' })
    expect(update).toMatchObject({ id: group, members: 1, role: 'admin' })
    expect(await roleOf(directory, person)).toBe('admin')
    expect((await auditOf(directory.founder)).slice(-2)).toMatchObject([
      {
        action: 'directory-group.role-changed',
        actor: { kind: 'user' },
        detail: { from: null, to: 'admin' },
      },
      { action: 'member.role-changed', target: { id: person }, detail: { from: 'member', to: 'admin' } },
    ])
    expect((await browser.call('listDirectoryGroups')).groups).toEqual([
      { id: group, displayName: expect.any(String), members: 1, role: 'admin' },
    ])
    // who comes later has it too, and who goes has what they had
    const { id: next } = await provisioned(directory)
    await directory.scim.patch(`/Groups/${group}`, { op: 'add', path: 'members', value: [{ value: next }] })
    expect(await roleOf(directory, next)).toBe('admin')
    await directory.scim.patch(`/Groups/${group}`, { op: 'remove', path: `members[value eq "${next}"]` })
    expect(await roleOf(directory, next)).toBe('member')
    await directory.scim.send('DELETE', `/Groups/${group}`)
    expect(await roleOf(directory, person)).toBe('member')
    expect((await auditOf(directory.founder)).slice(-2)).toMatchObject([
      { action: 'directory-group.deleted', actor: { kind: 'directory' } },
      {
        action: 'member.role-changed',
        actor: { kind: 'directory' },
        detail: { from: 'admin', to: 'member' },
      },
    ])
  })

  it('is the highest of several, and never takes away what somebody has without groups', async () => {
    const directory = await newDirectory(office)
    const moderator = await newMember(office, directory.founder, 'moderator')
    const [low, high] = [await newGroup(directory, moderator.id), await newGroup(directory, moderator.id)]
    const { browser } = directory.founder
    await browser.call('updateDirectoryGroup', { id: low, role: 'guest' })
    expect(await roleOf(directory, moderator.id)).toBe('moderator')
    await browser.call('updateDirectoryGroup', { id: high, role: 'admin' })
    expect(await roleOf(directory, moderator.id)).toBe('admin')
    await browser.call('updateDirectoryGroup', { id: high, role: null })
    expect(await roleOf(directory, moderator.id)).toBe('moderator')
  })

  it('is not the directory that gives a role: neither by a name nor by an attribute', async () => {
    const directory = await newDirectory(office)
    const { id } = await provisioned(directory, { roles: [{ value: 'admin' }], groups: [{ value: '1' }] })
    await directory.scim.send('POST', '/Groups', {
      displayName: 'admin',
      role: 'admin',
      members: [{ value: id }],
    })
    expect(await roleOf(directory, id)).toBe('member')
    expect(
      await directory.scim.patch(`/Users/${id}`, { op: 'add', path: 'roles', value: [{ value: 'admin' }] }),
    ).toMatchObject({
      status: 400,
      body: { scimType: 'mutability' },
    })
    const put = await directory.scim.send('PUT', `/Users/${id}`, {
      userName: 'x',
      roles: [{ value: 'admin' }],
    })
    expect(put.body.roles).toEqual([{ value: 'member' }])
  })

  it('leaves an admin: what would take the last one is refused, all of it', async () => {
    const directory = await newDirectory(office)
    const { browser } = directory.founder
    const { id, email } = await provisioned(directory)
    const group = await newGroup(directory, id)
    await browser.call('updateDirectoryGroup', { id: group, role: 'admin' })
    // the founder leaves: the admin by the group is the last
    await browser.call('removeMember', { id: directory.founder.id })
    const kept = { status: 409, body: { detail: expect.stringContaining('at least one admin') } }
    const { id: other } = await provisioned(directory)
    const patch = directory.scim.patch(
      `/Groups/${group}`,
      { op: 'replace', path: 'displayName', value: 'Changed' },
      { op: 'remove', path: 'members' },
      { op: 'add', path: 'members', value: [] },
    )
    expect(await patch).toMatchObject(kept)
    expect(await directory.scim.send('DELETE', `/Groups/${group}`)).toMatchObject(kept)
    expect(await directory.scim.send('DELETE', `/Users/${id}`)).toMatchObject(kept)
    const { body } = await directory.scim.get(`/Groups/${group}`)
    expect(body).toMatchObject({ members: [{ value: id }] })
    expect(body.displayName).not.toBe('Changed')
    expect(await roleOf(directory, id)).toBe('admin')
    // one for the other is no loss
    const swap = [{ value: other }]
    expect(
      await directory.scim.patch(`/Groups/${group}`, { op: 'replace', path: 'members', value: swap }),
    ).toMatchObject({
      status: 200,
    })
    expect(email).toContain('@')
  })

  it('cannot be taken from the last admin by an admin either', async () => {
    const directory = await newDirectory(office)
    const { id } = await provisioned(directory)
    const group = await newGroup(directory, id)
    const { browser } = directory.founder
    await browser.call('updateDirectoryGroup', { id: group, role: 'admin' })
    await browser.call('updateMember', { id, role: 'admin' })
    const { signInAgain } = await import('../../../tests/people.ts')
    const person = (await directory.scim.get(`/Users/${id}`)).body.emails[0].value
    const { browser: theirs } = await signInAgain(office, person)
    await browser.call('removeMember', { id: directory.founder.id })
    expect(await theirs.request('updateDirectoryGroup', { id: group, role: null })).toMatchObject({
      status: 409,
      body: { error: 'last-admin' },
    })
    expect((await theirs.call('listDirectoryGroups')).groups).toMatchObject([{ id: group, role: 'admin' }])
  })

  it('comes back with whoever comes back', async () => {
    const directory = await newDirectory(office)
    const { id } = await provisioned(directory)
    const group = await newGroup(directory, id)
    await directory.founder.browser.call('updateDirectoryGroup', { id: group, role: 'moderator' })
    const active = (value: boolean) =>
      directory.scim.patch(`/Users/${id}`, { op: 'replace', path: 'active', value })
    await active(false)
    expect(await roleOf(directory, id)).toBeUndefined()
    await active(true)
    expect(await roleOf(directory, id)).toBe('moderator')
    await directory.founder.browser.call('updateDirectoryGroup', { id: group, role: null })
    expect(await roleOf(directory, id)).toBe('member')
  })
})

describe('updateDirectoryGroup', () => {
  it('finds no group of another organization', async () => {
    const [one, other] = [await newDirectory(office), await newDirectory(office)]
    const id = await newGroup(other)
    for (const wrong of [id, '0', 'x'])
      expect(
        await one.founder.browser.request('updateDirectoryGroup', { id: wrong, role: 'admin' }),
      ).toMatchObject({
        status: 404,
        body: { error: 'directory-group-not-found' },
      })
  })
})
