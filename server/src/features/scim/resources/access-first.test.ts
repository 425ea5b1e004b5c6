import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Directory, newDirectory, newGroup, provisioned, USER } from '../../../../tests/chapters/scim.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { auditOf, newFounder, newMember, newPerson, signInAgain } from '../../../../tests/people.ts'
import { entra } from '../fixtures/entra.ts'
import { okta } from '../fixtures/okta.ts'

let office: TestOffice
let directory: Directory
beforeAll(async () => {
  office = await openTestOffice()
  directory = await newDirectory(office)
})
afterAll(() => office.close())

const LONG = 'x'.repeat(2_000)
const MARKS = `a${'\u0301'.repeat(40)}`
const DEACTIVATIONS = [entra.deactivateUser, entra.disableUser, okta.deactivateUser].map(
  ({ Operations: [operation] }) => operation,
)

/** What stands beside a deactivation and is refused by itself, each in the words of a patch. */
const REFUSED: Record<string, (other: { userName: string; email: string }) => unknown> = {
  'an unknown attribute': () => ({ op: 'Add', path: 'costCenter', value: 'x' }),
  'an unknown part': () => ({ op: 'replace', path: 'name.nickname', value: 'x' }),
  'an unknown op': () => ({ op: 'move', path: 'userName', value: 'x' }),
  'no object': () => 'replace',
  'no op': () => ({ path: 'userName', value: 'x' }),
  'a path that is no text': () => ({ op: 'replace', path: 7, value: 'x' }),
  'a filter that is none': () => ({ op: 'replace', path: 'emails[type is "work"].value', value: 'x' }),
  'a value that is not there': () => ({ op: 'replace', path: 'emails[type eq "home"].value', value: 'x' }),
  'nothing to remove': () => ({ op: 'remove' }),
  'the id': () => ({ op: 'replace', path: 'id', value: '8' }),
  'no userName any more': () => ({ op: 'remove', path: 'userName' }),
  'a userName of another type': () => ({ op: 'replace', path: 'userName', value: {} }),
  'a userName of somebody else': ({ userName }) => ({ op: 'replace', path: 'userName', value: userName }),
  'an address that is none': () => ({ op: 'replace', path: 'emails[type eq "work"].value', value: 'a@@b' }),
  'a null character': () => ({ op: 'replace', value: { displayName: 'a\0b' } }),
  'a path over its bound': () => ({ op: 'replace', path: 'x'.repeat(5_000), value: 'x' }),
  'a filter over its bound': () => ({ op: 'replace', path: `emails[type eq "${LONG.repeat(3)}"].value` }),
  'an op over its bound': () => ({ op: LONG, path: 'userName', value: 'x' }),
  'too many addresses': () => ({ op: 'replace', path: 'emails', value: Array(10_001).fill('a@b.example') }),
  ...Object.fromEntries(
    [
      'userName',
      'externalId',
      'displayName',
      'name.givenName',
      'emails[type eq "work"].value',
      'roles',
    ].flatMap((path) =>
      [LONG, MARKS].map((value, marks) => [
        `${marks ? 'too many marks' : 'a text over its bound'} in ${path}`,
        () => ({ op: 'replace', path, value }),
      ]),
    ),
  ),
}

/** The same of whole resources. */
const REFUSED_WHOLE: Record<string, (other: { userName: string }) => Record<string, unknown>> = {
  'no userName': () => ({ userName: undefined }),
  'a userName of another type': () => ({ userName: 7 }),
  'a userName of somebody else': ({ userName }) => ({ userName }),
  'an address that is none': () => ({ emails: [{ value: 'a@@b' }] }),
  'another schema': () => ({ schemas: ['urn:x'] }),
  'a name that is none': () => ({ name: 'Ada' }),
  'too many addresses': () => ({ emails: Array(10_001).fill('a@b.example') }),
  ...Object.fromEntries(
    (['userName', 'externalId', 'displayName'] as const).flatMap((name) =>
      [LONG, MARKS].map((value, marks) => [
        `${marks ? 'too many marks' : 'a text over its bound'} in ${name}`,
        () => ({ [name]: value }),
      ]),
    ),
  ),
  'a part over its bound': () => ({ name: { givenName: LONG } }),
  'an address over its bound': () => ({ emails: [{ value: LONG }] }),
}

/** They are in nothing any more, and the audit trail says so. */
async function expectGone(id: string): Promise<void> {
  expect((await directory.scim.get(`/Users/${id}`)).body).toMatchObject({ active: false })
  const { data } = await directory.founder.browser.call('listMembers')
  expect(data.map((member) => member.id)).not.toContain(id)
  const entries = await auditOf(directory.founder)
  const removed = { action: 'member.removed', target: { kind: 'user', id } }
  expect(entries).toEqual(expect.arrayContaining([expect.objectContaining(removed)]))
}

const refusal = { body: { detail: expect.stringContaining('deactivated') } }

describe('a member whom a directory deactivates', () => {
  it.each(Object.keys(REFUSED))(
    'is out beside %s in the same patch, and the rest is refused',
    async (what) => {
      const other = await provisioned(directory)
      for (const [place, deactivation] of DEACTIVATIONS.entries()) {
        const { id, email } = await provisioned(directory, { displayName: 'Ada' })
        const { browser } = await signInAgain(office, email)
        const refused = REFUSED[what]?.({ userName: other.email, email: other.email })
        const fine = { op: 'replace', path: 'displayName', value: 'Changed' }
        const operations = place === 0 ? [refused, deactivation, fine] : [fine, deactivation, refused]
        const answer = await directory.scim.patch(`/Users/${id}`, ...operations)
        expect(answer).toMatchObject(refusal)
        expect([400, 409]).toContain(answer.status)
        await expectGone(id)
        expect(await browser.request('getCurrentUser')).toMatchObject({ status: 401 })
        // the rest is whole or not at all
        expect((await directory.scim.get(`/Users/${id}`)).body).toMatchObject({ displayName: 'Ada' })
      }
    },
  )

  it.each(Object.keys(REFUSED_WHOLE))('is out by a whole resource with %s', async (what) => {
    const other = await provisioned(directory)
    const { id } = await provisioned(directory)
    const { body: read } = await directory.scim.get(`/Users/${id}`)
    const refused = REFUSED_WHOLE[what]?.({ userName: other.email }) ?? {}
    const put = okta.replaceUser(read, { active: false, ...refused })
    const answer = await directory.scim.send('PUT', `/Users/${id}`, put)
    expect(answer).toMatchObject(refusal)
    expect([400, 409]).toContain(answer.status)
    await expectGone(id)
  })

  it('is done to a member with an address that the directory has given to another user as a name', async () => {
    const directory = await newDirectory(office)
    const member = await newMember(office, directory.founder, 'moderator')
    const { email } = await member.browser.call('getCurrentUser')
    const { id: other } = await provisioned(directory)
    expect(
      await directory.scim.patch(`/Users/${other}`, { op: 'replace', path: 'userName', value: email }),
    ).toMatchObject({ status: 200 })
    const role = { op: 'replace', path: 'roles[primary eq "True"].value', value: 'member' }
    expect(await directory.scim.patch(`/Users/${member.id}`, role)).toMatchObject({ status: 200 })
    const off = { op: 'replace', value: { active: false } }
    expect(await directory.scim.patch(`/Users/${member.id}`, off)).toMatchObject({
      status: 200,
      body: { active: false },
    })
  })

  it('is out by what Entra sends for a user that it has deleted', async () => {
    const { id, email } = await provisioned(directory)
    const answer = await directory.scim.send('PATCH', `/Users/${id}`, entra.softDeleteUser(email))
    expect(answer).toMatchObject({ status: 200, body: { active: false } })
    expect(answer.body.userName).not.toBe(email)
    await expectGone(id)
  })

  it('is out by the whole profile of Okta, though they are in another organization too', async () => {
    const person = await newPerson(office, `second-${Date.now()}@${directory.domain}`)
    const elsewhere = await newFounder(office)
    await newMember(office, elsewhere, 'member', person)
    const { body: read } = await directory.scim.send('POST', '/Users', okta.createUser(person.email))
    const moved = [{ primary: true, value: `moved-${read.id}@${directory.domain}`, type: 'work' }]
    const put = okta.replaceUser(read, { active: false, emails: moved })
    expect(await directory.scim.send('PUT', `/Users/${read.id}`, put)).toMatchObject({
      status: 200,
      body: { active: false, emails: moved },
    })
    await expectGone(read.id)
    expect(await person.browser.call('getCurrentUser')).toMatchObject({ email: person.email })
  })

  it('is out though the answer was asked for in a way that there is not', async () => {
    const { id } = await provisioned(directory)
    const path = `/Users/${id}?attributes=userName&excludedAttributes=emails`
    expect(await directory.scim.patch(path, ...DEACTIVATIONS.slice(0, 1))).toMatchObject({
      status: 400,
      ...refusal,
    })
    await expectGone(id)
  })

  it('is judged by what comes out in the end', async () => {
    const { id } = await provisioned(directory)
    const [deactivation] = DEACTIVATIONS
    const answer = await directory.scim.patch(
      `/Users/${id}`,
      deactivation,
      { op: 'replace', path: 'nothing', value: 'x' },
      { op: 'replace', path: 'active', value: true },
    )
    expect(answer).toMatchObject({
      status: 400,
      body: { detail: expect.not.stringContaining('deactivated') },
    })
    expect((await directory.scim.get(`/Users/${id}`)).body).toMatchObject({ active: true })
  })

  it('stays where the condition on the version fails, the body is none, or they are the last admin', async () => {
    const { id, etag } = await provisioned(directory)
    const refused = { op: 'replace', path: 'nothing', value: 'x' }
    const body = { Operations: [...DEACTIVATIONS.slice(0, 1), refused] }
    await directory.scim.patch(`/Users/${id}`, { op: 'replace', path: 'displayName', value: 'Ada' })
    const send = (sent: unknown, ifMatch?: string, to = id) =>
      directory.scim.send('PATCH', `/Users/${to}`, sent, ifMatch ? { 'if-match': ifMatch } : {})
    expect(await send(body, etag)).toMatchObject({ status: 412 })
    expect(await send('{"Operations": [')).toMatchObject({ status: 400 })
    expect(await send(body, undefined, directory.founder.id)).toMatchObject({ status: 409 })
    for (const one of [id, directory.founder.id])
      expect((await directory.scim.get(`/Users/${one}`)).body).toMatchObject({ active: true })
    // and goes where it holds: for the rest too
    const { headers } = await directory.scim.get(`/Users/${id}`)
    const rest = { op: 'replace', path: 'displayName', value: 'Ada King' }
    const whole = { Operations: [...DEACTIVATIONS.slice(0, 1), rest] }
    expect(await send(whole, headers.get('etag') as string)).toMatchObject({
      status: 200,
      body: { active: false, displayName: 'Ada King' },
    })
  })

  it('is known to the directory afterwards, though it has never spoken of them before', async () => {
    const member = await newMember(office, directory.founder, 'moderator')
    const refused = { op: 'replace', path: 'nothing', value: 'x' }
    const answer = await directory.scim.patch(`/Users/${member.id}`, ...DEACTIVATIONS.slice(0, 1), refused)
    expect(answer).toMatchObject({ status: 400, ...refusal })
    await expectGone(member.id)
  })
})

describe('a lower role', () => {
  const roleIn = async (id: string) => (await directory.scim.get(`/Users/${id}`)).body.roles?.[0]?.value
  const unknown = { op: 'replace', path: 'nothing', value: 'x' }

  it.each([
    ['a path', { op: 'Replace', path: 'roles[primary eq "True"].value', value: 'Guest' }],
    ['no path', { op: 'replace', value: { roles: [{ value: 'guest', primary: true }] } }],
  ])(
    'that a patch says by %s is given, whatever else is refused; a higher one never',
    async (_how, lower) => {
      const { id } = await provisioned(directory)
      await directory.founder.browser.call('updateMember', { id, role: 'moderator' })
      expect(await directory.scim.patch(`/Users/${id}`, lower, unknown)).toMatchObject({
        status: 400,
        body: { detail: expect.stringContaining('(role-lowered)') },
      })
      expect(await roleIn(id)).toBe('guest')
      const higher = { op: 'replace', path: 'roles[primary eq "True"].value', value: 'admin' }
      expect(await directory.scim.patch(`/Users/${id}`, higher)).toMatchObject({
        status: 200,
        body: { roles: [{ value: 'guest', primary: true }] },
      })
      // what it calls something else is no role of ours
      const other = { op: 'replace', path: 'roles[primary eq "True"].value', value: 'Employee' }
      expect(await directory.scim.patch(`/Users/${id}`, other)).toMatchObject({ status: 200 })
    },
  )

  it('is refused to the last admin, and written down', async () => {
    const { founder, scim } = await newDirectory(office)
    for (const lower of [
      { op: 'replace', path: 'roles', value: [{ value: 'member' }] },
      { op: 'replace', path: 'roles[primary eq "True"].value', value: 'member' },
    ]) {
      const changes = [lower, { op: 'replace', path: 'displayName', value: 'Changed' }]
      expect(await scim.patch(`/Users/${founder.id}`, ...changes)).toMatchObject({ status: 409 })
      expect((await auditOf(founder)).at(-1)).toMatchObject({
        action: 'directory.refused',
        detail: { reason: 'last-admin' },
      })
      const { body } = await scim.get(`/Users/${founder.id}`)
      expect(body).toMatchObject({ roles: [{ value: 'admin' }] })
      expect(body.displayName).not.toBe('Changed')
    }
  })

  it('holds for a member who comes back', async () => {
    const { id } = await provisioned(directory)
    await directory.founder.browser.call('updateMember', { id, role: 'moderator' })
    await directory.scim.patch(
      `/Users/${id}`,
      { op: 'replace', path: 'roles[primary eq "True"].value', value: 'guest' },
      ...DEACTIVATIONS.slice(0, 1),
    )
    await directory.scim.send('PATCH', `/Users/${id}`, entra.activateUser)
    expect(await roleIn(id)).toBe('guest')
  })

  it.each<
    [string, (group: string, left: string, stays: string) => Promise<{ status: number; body: unknown }>]
  >([
    [
      'a patch with an unknown attribute',
      (group, left) =>
        directory.scim.patch(`/Groups/${group}`, entra.removeMember(left).Operations[0], unknown),
    ],
    [
      'a patch that adds nobody there is',
      (group, left) => {
        const { Operations } = okta.changeMembers(left, '999999')
        return directory.scim.patch(`/Groups/${group}`, ...Operations)
      },
    ],
    [
      'a patch with a member over its bound',
      (group, _left, stays) => {
        const { Operations } = okta.replaceMembers([stays, '9'.repeat(2_000)])
        return directory.scim.patch(`/Groups/${group}`, ...Operations)
      },
    ],
    [
      'a whole resource with an unfit name',
      (group, _left, stays) =>
        directory.scim.send('PUT', `/Groups/${group}`, { displayName: LONG, members: [{ value: stays }] }),
    ],
    [
      'a whole resource without a name',
      (group, _left, stays) =>
        directory.scim.send('PUT', `/Groups/${group}`, { members: [{ value: stays }] }),
    ],
    ...[
      (left: string) => [{ value: left, $ref: 5 }],
      (left: string) => [{ value: left, type: 5 }],
      (left: string) => [{ value: left }, { value: 5 }],
      (left: string) => [7, left],
    ].map(
      (
        members,
        place,
      ): [string, (group: string, left: string) => ReturnType<typeof directory.scim.patch>] => [
        `a patch that removes members of which a part cannot be read (${place})`,
        (group, left) =>
          directory.scim.patch(`/Groups/${group}`, { op: 'remove', path: 'members', value: members(left) }),
      ],
    ),
    [
      'a whole resource with a member of which a part cannot be read',
      (group, _left, stays) =>
        directory.scim.send('PUT', `/Groups/${group}`, { members: [{ value: stays, $ref: 5 }] }),
    ],
  ])('by leaving a group is given beside what is refused in %s', async (_how, change) => {
    const [left, stays] = [await provisioned(directory), await provisioned(directory)]
    const group = await newGroup(directory, left.id, stays.id)
    await directory.founder.browser.call('updateDirectoryGroup', { id: group, role: 'admin' })
    expect(await roleIn(left.id)).toBe('admin')
    expect(await change(group, left.id, stays.id)).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('(members-removed)') },
    })
    expect(await roleIn(left.id)).toBe('member')
    expect(await roleIn(stays.id)).toBe('admin')
  })

  it.each<[string, unknown]>([
    ['nothing is said of members', { displayName: LONG }],
    ['members are not said by ids', { members: [{ display: 'Ada' }] }],
    ['members are numbers', { displayName: 'Team', members: [{ value: 7 }] }],
  ])('is given to nobody by a refused group in which %s', async (_what, body) => {
    const { id } = await provisioned(directory)
    const group = await newGroup(directory, id)
    await directory.founder.browser.call('updateDirectoryGroup', { id: group, role: 'admin' })
    expect(await directory.scim.send('PUT', `/Groups/${group}`, body)).toMatchObject({ status: 400 })
    expect(await roleIn(id)).toBe('admin')
  })

  it('is no way to make a person anything in another organization', async () => {
    const other = await newDirectory(office)
    const { id } = await provisioned(other)
    const lower = { op: 'replace', path: 'roles[primary eq "True"].value', value: 'guest' }
    expect(await directory.scim.patch(`/Users/${id}`, lower)).toMatchObject({ status: 404 })
    expect((await other.scim.get(`/Users/${id}`)).body).toMatchObject({
      schemas: [USER],
      roles: [{ value: 'member' }],
    })
  })
})
