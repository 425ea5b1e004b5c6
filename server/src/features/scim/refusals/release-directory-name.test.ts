import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chatterOf, openDm } from '../../../../tests/chapters/chat.ts'
import { type Directory, newDirectory, provisioned } from '../../../../tests/chapters/scim.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { newFounder, newMember, newPerson, signInAgain } from '../../../../tests/people.ts'

let office: TestOffice
let directory: Directory
beforeAll(async () => {
  office = await openTestOffice()
  directory = await newDirectory(office)
})
afterAll(() => office.close())

const off = { op: 'replace', value: { active: false } }

/** A user whom the directory has made, and made inactive. */
async function inactiveUser(said: Record<string, unknown> = {}, of: Directory = directory) {
  const person = await provisioned(of, said)
  expect(await of.scim.patch(`/Users/${person.id}`, off)).toMatchObject({ status: 200 })
  return person
}

const taken = { status: 409, body: { scimType: 'uniqueness' } }

describe('an administrator who says that it is a new person', () => {
  it('releases the name: a person who is made then is a new one, and has nothing of the former', async () => {
    const { id, email } = await provisioned(directory, { externalId: 'former' })
    const former = await signInAgain(office, email)
    await openDm(await chatterOf(office, { ...directory.founder, ...former, id, email }), directory.founder)
    await directory.scim.patch(`/Users/${id}`, off)
    const anew = { userName: email, externalId: 'new hire', displayName: 'New Hire' }
    expect(await directory.scim.send('POST', '/Users', anew)).toMatchObject(taken)
    await directory.founder.browser.call('releaseDirectoryName', { id })
    const made = await directory.scim.send('POST', '/Users', anew)
    expect(made).toMatchObject({ status: 201, body: { active: true, emails: [{ value: email }] } })
    expect(made.body.id).not.toBe(id)
    const { browser, user } = await signInAgain(office, email)
    expect(user).toMatchObject({ id: made.body.id })
    expect(await browser.call('getCurrentUser')).toMatchObject({ displayName: 'New Hire', email })
    const { rows } = await office.database.pool.query(
      'select 1 from conversation_members where user_id = $1',
      [made.body.id],
    )
    expect(rows).toEqual([])
    expect(await directory.scim.get(`/Users/${id}`)).toMatchObject({ status: 404 })
  })

  it('cannot release an address that is not the organization’s alone', async () => {
    const person = await newPerson(office, `both@${directory.domain}`)
    const elsewhere = await newFounder(office)
    await newMember(office, elsewhere, 'member', person)
    const { body } = await directory.scim.send('POST', '/Users', {
      userName: person.email,
      externalId: 'both',
    })
    await directory.scim.patch(`/Users/${body.id}`, off)
    const believed = await newDirectory(office, 'believed')
    const { id } = await inactiveUser({}, believed)
    const stays = { status: 409, body: { error: 'directory-address-stays' } }
    const release = (of: Directory, user: string) =>
      of.founder.browser.request('releaseDirectoryName', { id: user })
    expect(await release(directory, body.id)).toMatchObject(stays)
    expect(await release(believed, id)).toMatchObject(stays)
    expect((await directory.scim.get(`/Users/${body.id}`)).body).toMatchObject({ active: false })
    expect((await signInAgain(office, person.email)).user).toMatchObject({ id: person.id })
  })

  it('is none who may not keep directories, and no active person is released', async () => {
    const { id, email } = await provisioned(directory)
    expect(await directory.founder.browser.request('releaseDirectoryName', { id })).toMatchObject({
      status: 404,
    })
    const { browser } = await signInAgain(office, email)
    for (const operation of ['restoreDirectoryUser', 'releaseDirectoryName'] as const)
      expect(await browser.request(operation, { id })).toMatchObject({ status: 403 })
  })
})
