import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Directory, newDirectory, newGroup, provisioned } from '../../../../tests/chapters/scim.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { signInAgain } from '../../../../tests/people.ts'
import { okta } from '../fixtures/okta.ts'

let office: TestOffice
let directory: Directory
beforeAll(async () => {
  office = await openTestOffice()
  directory = await newDirectory(office)
})
afterAll(() => office.close())

const off = { op: 'replace', value: { active: false } }
const taken = { status: 409, body: { scimType: 'uniqueness' } }

/** A user whom the directory has made, and made inactive. */
async function inactiveUser(said: Record<string, unknown> = {}, of: Directory = directory) {
  const person = await provisioned(of, said)
  expect(await of.scim.patch(`/Users/${person.id}`, off)).toMatchObject({ status: 200 })
  return person
}

const waiting = async () =>
  (await directory.founder.browser.call('listDirectoryRefusals')).refusals.filter(({ waits }) => waits)

describe('a person whom a directory makes again', () => {
  it('is the same where the external id says so, by whatever name: with role and groups', async () => {
    const { id, email } = await provisioned(directory, { externalId: '00u-rehire' })
    await directory.founder.browser.call('updateMember', { id, role: 'moderator' })
    const group = await newGroup(directory, id)
    await directory.scim.patch(`/Users/${id}`, off)
    const made = await directory.scim.send('POST', '/Users', {
      ...okta.createUser(email),
      userName: `renamed-${email}`,
      externalId: '00u-rehire',
    })
    expect(made).toMatchObject({
      status: 201,
      body: {
        id,
        active: true,
        userName: `renamed-${email}`,
        displayName: 'Test User',
        roles: [{ value: 'moderator' }],
        groups: [{ value: group }],
      },
    })
    expect(made.headers.get('location')).toContain(`/Users/${id}`)
    expect((await signInAgain(office, email)).user).toMatchObject({ id })
    // and is no second time
    expect(
      await directory.scim.send('POST', '/Users', { userName: email, externalId: '00u-rehire' }),
    ).toMatchObject(taken)
  })

  it('is the same by the name alone where no external id was ever said', async () => {
    const { id, email } = await inactiveUser()
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        directory.scim.send('POST', '/Users', { userName: email.toUpperCase() }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
    expect(answers.find(({ status }) => status === 201)?.body).toMatchObject({ id, active: true })
  })

  it('may stay inactive, and keeps an address that the account may not follow', async () => {
    const { id, email } = await inactiveUser()
    const said = { userName: email, active: false, emails: [{ value: 'ada@elsewhere.example' }] }
    expect(await directory.scim.send('POST', '/Users', said)).toMatchObject({
      status: 201,
      body: { id, active: false, emails: [{ value: 'ada@elsewhere.example' }] },
    })
  })

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['another external id', { externalId: 'one' }, { externalId: 'other' }],
    ['an external id for the first time', {}, { externalId: 'first' }],
    ['no external id any more', { externalId: 'before' }, {}],
  ])('is nobody by %s: an administrator is asked', async (_how, before, said) => {
    const { id, email } = await inactiveUser(before)
    expect(await directory.scim.send('POST', '/Users', { userName: email, ...said })).toMatchObject(taken)
    expect((await directory.scim.get(`/Users/${id}`)).body).toMatchObject({ active: false })
    expect((await waiting())[0]).toMatchObject({ userId: id, name: email, reason: 'uniqueness' })
  })

  it.each<[string, Record<string, unknown>, Record<string, unknown>, boolean]>([
    ['the same external id', { externalId: 'kept' }, { externalId: 'kept' }, true],
    ['no external id, before and after', {}, {}, true],
    ['another external id', { externalId: 'former' }, { externalId: 'new' }, false],
    ['an external id for the first time', {}, { externalId: 'first of all' }, false],
    ['no external id any more', { externalId: 'once' }, {}, false],
  ])('after a deletion: the same by %s, or a stranger', async (_how, before, said, isSame) => {
    const { id, email } = await provisioned(directory, before)
    const group = await newGroup(directory, id)
    expect(await directory.scim.send('DELETE', `/Users/${id}`)).toMatchObject({ status: 204 })
    expect(await directory.scim.get(`/Users/${id}`)).toMatchObject({ status: 404 })
    expect((await directory.scim.get(`/Groups/${group}`)).body).not.toMatchObject({
      members: [{ value: id }],
    })
    const { body: found } = await directory.scim.get(`/Users?filter=userName eq "${email}"`)
    expect(found).toMatchObject({ totalResults: 0 })
    const made = await directory.scim.send('POST', '/Users', { userName: email, ...said })
    if (isSame) return expect(made).toMatchObject({ status: 201, body: { id, active: true } })
    expect(made).toMatchObject(taken)
    expect((await waiting())[0]).toMatchObject({ userId: id, name: email })
    await directory.founder.browser.call('releaseDirectoryName', { id })
    const anew = await directory.scim.send('POST', '/Users', { userName: email, ...said })
    expect(anew).toMatchObject({ status: 201 })
    expect(anew.body).not.toMatchObject({ id })
  })

  it('is no known person by the name alone where an external id was said and taken back', async () => {
    const { id, email } = await provisioned(directory, { externalId: 'for a while' })
    await directory.scim.patch(`/Users/${id}`, { op: 'remove', path: 'externalId' })
    await directory.scim.patch(`/Users/${id}`, off)
    expect(await directory.scim.send('POST', '/Users', { userName: email })).toMatchObject(taken)
  })

  it('is not brought back whom an administrator has removed', async () => {
    const { id, email } = await provisioned(directory)
    await directory.founder.browser.call('removeMember', { id })
    expect(await directory.scim.send('POST', '/Users', { userName: email })).toMatchObject({ status: 403 })
    expect(await directory.founder.browser.request('restoreDirectoryUser', { id })).toMatchObject({
      status: 409,
      body: { error: 'directory-user-kept-out' },
    })
  })

  it('is no person of another organization', async () => {
    const other = await newDirectory(office)
    const { id } = await inactiveUser({ externalId: 'theirs' }, other)
    const email = `new@${directory.domain}`
    const made = await directory.scim.send('POST', '/Users', { userName: email, externalId: 'theirs' })
    expect(made.status).toBe(201)
    expect(made.body.id).not.toBe(id)
    for (const operation of ['restoreDirectoryUser', 'releaseDirectoryName'] as const)
      expect(await directory.founder.browser.request(operation, { id })).toMatchObject({
        status: 404,
        body: { error: 'directory-user-not-found' },
      })
  })
})
