import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDirectory, newGroupName, provisioned } from '../../../tests/chapters/scim.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { entra } from './fixtures/entra.ts'
import { okta } from './fixtures/okta.ts'

/** The conversations that directories have with this office, in the shapes that their makers document. */
let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice()
})
afterAll(() => office.close())

describe('Entra ID', () => {
  it('finds no user, makes one, changes them, puts them to sleep and wakes them', async () => {
    const { scim, domain } = await newDirectory(office)
    const userName = `ada+test@${domain}`
    expect((await scim.get(entra.findUser(userName))).body).toMatchObject({ totalResults: 0, Resources: [] })
    const made = await scim.send('POST', '/Users', entra.createUser(userName))
    expect(made).toMatchObject({
      status: 201,
      body: { userName, active: true, emails: [{ value: userName }] },
    })
    const path = `/Users/${made.body.id}`
    expect((await scim.get(entra.findUser(userName))).body).toMatchObject({
      totalResults: 1,
      Resources: [{ id: made.body.id, active: true }],
    })
    const patch = (body: object) => scim.send('PATCH', path, body)
    expect(await patch(entra.updateUser(`king@${domain}`))).toMatchObject({
      status: 200,
      body: { displayName: 'Ada King', name: { familyName: 'King' }, emails: [{ value: `king@${domain}` }] },
    })
    for (const [body, active] of [
      [entra.deactivateUser, false],
      [entra.activateUser, true],
      [entra.disableUser, false],
    ] as const) {
      expect(await patch(body)).toMatchObject({ status: 200, body: { active } })
      // its validator looks for this
      expect((await scim.get(entra.findUser(userName))).body).toMatchObject({ Resources: [{ active }] })
    }
    expect(await scim.send('DELETE', path)).toMatchObject({ status: 204 })
    expect(await scim.get(path)).toMatchObject({ status: 404 })
  })

  it('keeps a group and its members', async () => {
    const directory = await newDirectory(office)
    const { scim } = directory
    const { id } = await provisioned(directory)
    const name = newGroupName()
    expect((await scim.get(entra.findGroup(name))).body).toMatchObject({ totalResults: 0 })
    const made = await scim.send('POST', '/Groups', entra.createGroup(name))
    expect(made).toMatchObject({ status: 201, body: { displayName: name } })
    const path = `/Groups/${made.body.id}`
    const patch = (body: object) => scim.send('PATCH', path, body)
    expect((await patch(entra.addMember(id))).body).toMatchObject({ members: [{ value: id }] })
    const found = await scim.get(entra.hasMember(made.body.id, id))
    expect(found.body).toMatchObject({ totalResults: 1 })
    expect(found.body.Resources[0]).not.toHaveProperty('members')
    expect((await scim.get(entra.findGroup(name))).body).toMatchObject({ totalResults: 1 })
    expect((await patch(entra.removeMember(id))).body).not.toHaveProperty('members')
    expect((await scim.get(entra.hasMember(made.body.id, id))).body).toMatchObject({ totalResults: 0 })
    const renamed = newGroupName()
    expect((await patch(entra.renameGroup(renamed))).body).toMatchObject({ displayName: renamed })
    expect(await scim.send('DELETE', path)).toMatchObject({ status: 204 })
  })
})

describe('Okta', () => {
  it('tries the connection, makes a user, replaces them whole, puts them to sleep and wakes them', async () => {
    const { scim, domain } = await newDirectory(office)
    const userName = `test.user@${domain}`
    expect((await scim.get(okta.testConnection)).body).toMatchObject({ startIndex: 1, itemsPerPage: 1 })
    expect((await scim.get(okta.listGroups)).body).toMatchObject({ totalResults: 0 })
    expect((await scim.get(okta.findUser(userName))).body).toMatchObject({ totalResults: 0, itemsPerPage: 0 })
    const made = await scim.send('POST', '/Users', okta.createUser(userName))
    expect(made).toMatchObject({ status: 201, body: { displayName: 'Test User', active: true } })
    const path = `/Users/${made.body.id}`
    const read = await scim.get(path)
    const replaced = await scim.send('PUT', path, okta.replaceUser(read.body, { displayName: 'Another' }))
    expect(replaced).toMatchObject({
      status: 200,
      body: { id: made.body.id, displayName: 'Another', active: true },
    })
    const patch = (body: object) => scim.send('PATCH', path, body)
    expect(await patch(okta.deactivateUser)).toMatchObject({ status: 200, body: { active: false } })
    expect(await patch(okta.activateUser)).toMatchObject({ status: 200, body: { active: true } })
    const gone = await scim.send('PUT', path, okta.replaceUser(replaced.body, { active: false }))
    expect(gone).toMatchObject({ status: 200, body: { active: false } })
  })

  it('pushes a group and its members', async () => {
    const directory = await newDirectory(office)
    const { scim } = directory
    const [one, other] = [await provisioned(directory), await provisioned(directory)]
    const made = await scim.send('POST', '/Groups', okta.createGroup(newGroupName()))
    expect(made.status).toBe(201)
    const { id } = made.body
    const patch = (body: object) => scim.send('PATCH', `/Groups/${id}`, body)
    const valuesOf = (body: { members?: { value: string }[] }) => body.members?.map(({ value }) => value)
    expect(valuesOf((await patch(okta.replaceMembers([one.id]))).body)).toEqual([one.id])
    expect(valuesOf((await patch(okta.changeMembers(one.id, other.id))).body)).toEqual([other.id])
    const name = newGroupName()
    expect(await patch(okta.renameGroup(id, name))).toMatchObject({
      status: 200,
      body: { id, displayName: name },
    })
  })
})
