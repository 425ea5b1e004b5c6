import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Directory, newDirectory, newGroup, provisioned } from '../../../tests/chapters/scim.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { auditOf, invitationTokenFor, newMember, signInAgain } from '../../../tests/people.ts'

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice()
})
afterAll(() => office.close())

async function roleOf({ scim }: Pick<Directory, 'scim'>, id: string): Promise<string | undefined> {
  return (await scim.get(`/Users/${id}`)).body.roles?.[0]?.value
}

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

  it('is the highest of several, and never takes away what a member has without groups', async () => {
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

  it('gives way to what was given by hand since: what a member had before does not come back', async () => {
    const directory = await newDirectory(office)
    const { browser } = directory.founder
    const moderator = await newMember(office, directory.founder, 'moderator')
    const member = await newMember(office, directory.founder, 'member')
    const group = await newGroup(directory, moderator.id, member.id)
    await browser.call('updateDirectoryGroup', { id: group, role: 'admin' })
    await browser.call('updateMember', { id: moderator.id, role: 'member' })
    await browser.call('updateDirectoryGroup', { id: group, role: 'moderator' })
    await browser.call('updateMember', { id: member.id, role: 'admin' })
    await browser.call('updateDirectoryGroup', { id: group, role: null })
    expect([await roleOf(directory, moderator.id), await roleOf(directory, member.id)]).toEqual([
      'member',
      'admin',
    ])
  })

  it('gives way to that of an invitation, by which a member came in again', async () => {
    const directory = await newDirectory(office)
    const { browser } = directory.founder
    const member = await newMember(office, directory.founder, 'member')
    const group = await newGroup(directory, member.id)
    await browser.call('updateDirectoryGroup', { id: group, role: 'moderator' })
    await browser.call('removeMember', { id: member.id })
    await browser.call('sendInvitation', { email: member.email, role: 'admin' })
    await member.browser.call('acceptInvitation', { token: await invitationTokenFor(office, member.email) })
    await browser.call('updateDirectoryGroup', { id: group, role: null })
    expect(await roleOf(directory, member.id)).toBe('admin')
  })

  it('does not outlive the group where the directory takes a member out and makes them again', async () => {
    const directory = await newDirectory(office)
    const userName = `kim@${directory.domain}`
    const { id } = await provisioned(directory, { userName })
    const group = await newGroup(directory, id)
    await directory.founder.browser.call('updateDirectoryGroup', { id: group, role: 'admin' })
    expect(await roleOf(directory, id)).toBe('admin')
    await directory.scim.send('DELETE', `/Users/${id}`)
    const again = await directory.scim.send('POST', '/Users', { userName })
    expect(again).toMatchObject({ status: 201, body: { id } })
    expect(await roleOf(directory, id)).toBe('member')
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
    ).toMatchObject({ status: 200, body: { roles: [{ value: 'member' }] } })
    const put = await directory.scim.send('PUT', `/Users/${id}`, {
      userName: 'x',
      roles: [{ value: 'admin' }],
    })
    expect(put.body.roles).toEqual([{ value: 'member', primary: true }])
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
    const person = (await directory.scim.get(`/Users/${id}`)).body.emails[0].value
    const { browser: theirs } = await signInAgain(office, person)
    await browser.call('removeMember', { id: directory.founder.id })
    expect(await theirs.request('updateDirectoryGroup', { id: group, role: null })).toMatchObject({
      status: 409,
      body: { error: 'last-admin' },
    })
    expect((await theirs.call('listDirectoryGroups')).groups).toMatchObject([{ id: group, role: 'admin' }])
  })

  it('comes back with a member who comes back', async () => {
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
