import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Directory,
  newDirectory,
  provisioned,
  scimClient,
  USER,
} from '../../../../tests/chapters/scim.ts'
import { giveDomain } from '../../../../tests/chapters/single-sign-on.ts'
import { expectNewLink, signInFederated } from '../../../../tests/chapters/surfer.ts'
import { deleteAccountOf, untilErased } from '../../../../tests/data/erasure-scene.ts'
import { hold, untilBlocked } from '../../../../tests/held-locks.ts'
import { freshEmail, openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import {
  auditOf,
  freshCodeFor,
  newFounder,
  newMember,
  newPerson,
  signInAgain,
} from '../../../../tests/people.ts'

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice()
})
afterAll(() => office.close())

const addressTo = (email: string) => ({
  op: 'replace',
  path: 'emails',
  value: [{ value: email, primary: true }],
})

describe('a person whom a directory makes', () => {
  it('is no person with another address meanwhile', async () => {
    const directory = await newDirectory(office)
    const email = `ada@${directory.domain}`
    const person = await newPerson(office, email)
    const change = await hold(office, 'update users set email = $2 where id = $1', [person.id, freshEmail()])
    const asked = directory.scim.send('POST', '/Users', { schemas: [USER], userName: email, active: true })
    await untilBlocked(office, 1)
    await change.commit()
    const made = await asked
    expect(made).toMatchObject({ status: 201, body: { emails: [{ value: email }] } })
    expect(made.body.id).not.toBe(person.id)
    const { data } = await directory.founder.browser.call('listMembers')
    expect(data.map(({ id }) => id).sort()).toEqual([directory.founder.id, made.body.id].sort())
  })

  it('is a member at once, and signs in by their address', async () => {
    const directory = await newDirectory(office)
    const email = `ada@${directory.domain}`
    const made = await directory.scim.send('POST', '/Users', {
      schemas: [USER, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
      externalId: '00u1',
      userName: `Ada@${directory.domain}`,
      name: { givenName: 'Ada', familyName: 'Lovelace', formatted: 'Ada Lovelace' },
      displayName: 'Ada Lovelace',
      active: true,
      emails: [
        { value: 'private@elsewhere.example', type: 'home' },
        { value: email, type: 'work', primary: true },
      ],
      phoneNumbers: [{ value: '+1', type: 'mobile' }],
      password: 'never kept',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Engines' },
    })
    expect(made.status).toBe(201)
    expect(made.headers.get('content-type')).toMatch(/^application\/scim\+json/)
    const { id } = made.body
    expect(made.body).toEqual({
      schemas: [USER],
      id: expect.stringMatching(/^\d+$/),
      externalId: '00u1',
      userName: `Ada@${directory.domain}`,
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      displayName: 'Ada Lovelace',
      active: true,
      emails: [{ value: email, type: 'work', primary: true }],
      roles: [{ value: 'member', primary: true }],
      meta: {
        resourceType: 'User',
        created: expect.any(String),
        lastModified: expect.any(String),
        location: `${office.office.config.baseUrl}/scim/v2/Users/${id}`,
        version: made.headers.get('etag'),
      },
    })
    expect(made.headers.get('location')).toBe(made.body.meta.location)
    expect(await directory.scim.get(`/Users/${id}`)).toMatchObject({ status: 200, body: made.body })

    const { data } = await directory.founder.browser.call('listMembers')
    expect(data.find((member) => member.id === id)).toMatchObject({
      displayName: 'Ada Lovelace',
      email,
      role: 'member',
    })
    const { browser } = await signInAgain(office, email)
    expect(await browser.call('listOrganizations')).toMatchObject([
      { organizationId: directory.founder.organizationId, userRole: 'member' },
    ])
    const { rows } = await office.database.pool.query(
      'select u::text || s::text as row from users u, scim_users s',
    )
    expect(JSON.stringify(rows)).not.toContain('never kept')
  })

  it('stands in the audit trail by the directory, under the id of its connection', async () => {
    const directory = await newDirectory(office)
    const { id } = await provisioned(directory)
    const actor = { kind: 'directory', id: directory.connectionId }
    const entries = await auditOf(directory.founder)
    expect(entries.slice(-2)).toMatchObject([
      { action: 'directory-user.created', actor, target: { kind: 'user', id } },
      {
        action: 'member.joined',
        actor,
        target: { kind: 'user', id },
        detail: { role: 'member', way: 'directory' },
      },
    ])
    expect(entries.at(-1)?.requestId).not.toBe('')
  })

  it('is refused twice, by name and by address', async () => {
    const directory = await newDirectory(office)
    const { email } = await provisioned(directory, {
      userName: 'Grace',
      emails: [{ value: `grace@${directory.domain}` }],
    })
    const again = { status: 409, body: { status: '409', scimType: 'uniqueness' } }
    const post = (body: object) => directory.scim.send('POST', '/Users', body)
    expect(await post({ userName: 'GRACE', emails: [{ value: `g@${directory.domain}` }] })).toMatchObject(
      again,
    )
    expect(await post({ userName: 'other', emails: [{ value: email.toUpperCase() }] })).toMatchObject(again)
    expect(await post({ userName: email })).toMatchObject(again)
  })

  it('is made once of ten at the same time', async () => {
    const directory = await newDirectory(office)
    const userName = `many@${directory.domain}`
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => directory.scim.send('POST', '/Users', { userName })),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([201, ...Array(9).fill(409)])
  })

  it('may be inactive: then they are no member here yet', async () => {
    const directory = await newDirectory(office)
    const { id } = await provisioned(directory, { active: 'False' })
    expect((await directory.scim.get(`/Users/${id}`)).body).toMatchObject({ active: false })
    expect((await directory.founder.browser.call('listMembers')).data).toHaveLength(1)
    expect(
      (await directory.scim.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: true })).body,
    ).toMatchObject({
      active: true,
      roles: [{ value: 'member' }],
    })
  })

  it.each([
    ['no userName', { emails: [{ value: 'a@b.example' }] }],
    ['no address', { userName: 'ada' }],
    ['an address that is none', { userName: 'ada', emails: [{ value: 'a@@b' }] }],
    ['text that is none', { userName: 7 }],
    ['half a character', { userName: 'a\ud800' }],
    ['a null character', { userName: 'a\0b' }],
    ['something that is neither true nor false', { userName: 'a@b.example', active: 'perhaps' }],
  ])('is refused with %s', async (_what, said) => {
    const { scim } = await newDirectory(office)
    expect(await scim.send('POST', '/Users', said)).toMatchObject({
      status: 400,
      body: { status: '400', scimType: 'invalidValue', detail: expect.any(String) },
    })
  })
})

describe('whose people they are', () => {
  it('makes none of a domain that the organization has not proven', async () => {
    const directory = await newDirectory(office)
    const other = await newDirectory(office)
    await giveDomain(office, directory.founder.organizationId, 'pending.example', 'pending')
    for (const domain of ['gmail.com', other.domain, 'pending.example', `sub.${directory.domain}`]) {
      const answer = await directory.scim.send('POST', '/Users', { userName: `ada@${domain}` })
      expect(answer).toMatchObject({ status: 403, body: { detail: expect.stringContaining('not proven') } })
    }
    const { rows } = await office.database.pool.query('select email from users where email like $1', [
      `ada@${other.domain}`,
    ])
    expect(rows).toEqual([])
  })

  it("finds nobody of another organization, and changes nobody's there", async () => {
    const [one, other] = [await newDirectory(office), await newDirectory(office)]
    const { id, email } = await provisioned(other)
    const outsider = await newPerson(office)
    for (const foreign of [id, outsider.id, '0', 'x', '9'.repeat(30), "1' or '1'='1"]) {
      const path = `/Users/${encodeURIComponent(foreign)}`
      expect(await one.scim.get(path)).toMatchObject({ status: 404, body: { status: '404' } })
      expect(await one.scim.send('PUT', path, { userName: 'mine' })).toMatchObject({ status: 404 })
      expect(await one.scim.patch(path, { op: 'replace', path: 'active', value: false })).toMatchObject({
        status: 404,
      })
      expect(await one.scim.send('DELETE', path)).toMatchObject({ status: 404 })
    }
    for (const filter of [
      `userName eq "${email}"`,
      `id eq "${id}"`,
      `emails.value eq "${email}"`,
      `userName co "@"`,
    ]) {
      const { body } = await one.scim.get(`/Users?filter=${encodeURIComponent(filter)}`)
      expect(JSON.stringify(body)).not.toContain(email)
    }
    expect((await other.scim.get(`/Users/${id}`)).body).toMatchObject({ active: true, userName: email })
  })

  it('sees members whom it has not made, and takes them over by their address', async () => {
    const directory = await newDirectory(office)
    const member = await newMember(office, directory.founder, 'moderator')
    const filter = encodeURIComponent(`userName eq "${member.email}"`)
    const found = await directory.scim.get(`/Users?filter=${filter}`)
    expect(found.body).toMatchObject({
      totalResults: 1,
      Resources: [{ id: member.id, userName: member.email }],
    })
    expect(
      await directory.scim.send('POST', '/Users', { userName: `x@${directory.domain}`, emails: [] }),
    ).toMatchObject({
      status: 201,
    })
    const changed = await directory.scim.patch(`/Users/${member.id}`, {
      op: 'add',
      path: 'externalId',
      value: '00u7',
    })
    expect(changed.body).toMatchObject({ externalId: '00u7', roles: [{ value: 'moderator' }] })
  })

  it('keeps names and address of a person who is elsewhere too', async () => {
    const directory = await newDirectory(office)
    const person = await newPerson(office, `ada@${directory.domain}`)
    const elsewhere = await newFounder(office)
    await newMember(office, elsewhere, 'member', person)
    const made = await directory.scim.send('POST', '/Users', {
      userName: person.email,
      displayName: 'Mallory',
    })
    expect(made).toMatchObject({ status: 201, body: { id: person.id, displayName: 'Mallory' } })
    const path = `/Users/${person.id}`
    const renamed = await directory.scim.patch(path, {
      op: 'replace',
      path: 'displayName',
      value: 'Still Mallory',
    })
    expect(renamed).toMatchObject({ status: 200, body: { displayName: 'Still Mallory' } })
    const moved = {
      op: 'replace',
      path: 'emails[type eq "work"].value',
      value: `mallory@${directory.domain}`,
    }
    const kept = { status: 200, body: { emails: [{ value: moved.value }] } }
    expect(await directory.scim.patch(path, moved)).toMatchObject(kept)
    const { data } = await elsewhere.browser.call('listMembers')
    expect(data.find(({ id }) => id === person.id)).toMatchObject({ displayName: 'ada', email: person.email })
    // not even after the other organization's directory has put them to sleep
    await office.database.pool.query(
      `insert into scim_users (organization_id, user_id, user_name, created_at, updated_at)
       select id, $1, 'ada', now(), now() from organizations where identity_organization_id = $2`,
      [person.id, elsewhere.organizationId],
    )
    await elsewhere.browser.call('removeMember', { id: person.id })
    const again = { ...moved, value: `again@${directory.domain}` }
    expect(await directory.scim.patch(path, again)).toMatchObject({ status: 200 })
    expect(await person.browser.call('getCurrentUser')).toMatchObject({ email: person.email })
  })

  it('gives a name and an address to a person with other organizations that are all deleted', async () => {
    const directory = await newDirectory(office)
    const person = await newPerson(office, `ada@${directory.domain}`)
    await directory.scim.send('POST', '/Users', { userName: person.email })
    const other = await newDirectory(office)
    await newMember(office, other.founder, 'member', person)
    // the directory there has said something of them too
    await other.scim.patch(`/Users/${person.id}`, { op: 'replace', path: 'displayName', value: 'A. Byron' })
    const move = (name: string) =>
      directory.scim.patch(
        `/Users/${person.id}`,
        { op: 'replace', path: 'displayName', value: `Ada ${name}` },
        { op: 'replace', path: 'emails[type eq "work"].value', value: `${name}@${directory.domain}` },
      )
    expect(await move('before')).toMatchObject({ status: 200 })
    expect(await person.browser.call('getCurrentUser')).toMatchObject({ email: person.email })
    const { organizationId } = other.founder
    await other.founder.browser.call('deleteOrganization', { organizationId })
    expect(await move('after')).toMatchObject({ status: 200 })
    const { data } = await directory.founder.browser.call('listMembers')
    expect(data.find(({ id }) => id === person.id)).toMatchObject({
      displayName: 'Ada after',
      email: `after@${directory.domain}`,
    })
  })

  it('keeps the address of a member of another domain, and their names', async () => {
    const directory = await newDirectory(office)
    const member = await newMember(office, directory.founder, 'member')
    const path = `/Users/${member.id}`
    const moved = {
      op: 'replace',
      value: { emails: [{ value: `taken@${directory.domain}`, primary: true }] },
    }
    expect(await directory.scim.patch(path, moved)).toMatchObject({
      status: 200,
      body: { emails: moved.value.emails },
    })
    await directory.scim.patch(path, { op: 'replace', path: 'displayName', value: 'Mallory' })
    expect(await member.browser.call('getCurrentUser')).toMatchObject({ email: member.email })
    expect((await member.browser.call('getCurrentUser')).displayName).not.toBe('Mallory')
  })

  it('changes nothing of the account of a member who has left', async () => {
    const directory = await newDirectory(office)
    const { id, email } = await provisioned(directory, { displayName: 'Ada Byron' })
    const { browser } = await signInAgain(office, email)
    await browser.call('removeMember', { id })
    const path = `/Users/${id}`
    const renamed = await directory.scim.patch(path, { op: 'replace', path: 'displayName', value: 'Mallory' })
    expect(renamed).toMatchObject({ status: 200, body: { active: false, displayName: 'Mallory' } })
    const moved = {
      op: 'replace',
      path: 'emails',
      value: [{ value: `new@${directory.domain}`, primary: true }],
    }
    expect(await directory.scim.patch(path, moved)).toMatchObject({
      status: 200,
      body: { emails: moved.value },
    })
    expect(await browser.call('getCurrentUser')).toMatchObject({ displayName: 'Ada Byron', email })
  })

  it('gives its own people other names and addresses; sessions of the address of before end', async () => {
    const directory = await newDirectory(office)
    const { id, email } = await provisioned(directory, { displayName: 'Ada Byron' })
    const { browser } = await signInAgain(office, email)
    const next = `ada.lovelace-${id}@${directory.domain}`
    const changed = await directory.scim.patch(
      `/Users/${id}`,
      { op: 'Replace', path: 'displayName', value: 'Ada Lovelace' },
      { op: 'Replace', path: 'name.familyName', value: 'Lovelace' },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: next },
      { op: 'Replace', path: 'userName', value: next },
    )
    expect(changed).toMatchObject({ status: 200, body: { emails: [{ value: next }], userName: next } })
    expect(await browser.request('getCurrentUser')).toMatchObject({ status: 401 })
    const { browser: again, user } = await signInAgain(office, next)
    expect(user).toMatchObject({ id, email: next })
    expect(await again.call('getCurrentUser')).toMatchObject({
      displayName: 'Ada Lovelace',
      lastName: 'Lovelace',
    })
    expect((await auditOf(directory.founder)).at(-1)).toMatchObject({
      action: 'directory-user.updated',
      detail: { fields: 'userName familyName displayName email', account: 'email name' },
    })
  })

  it('leaves the address of before no way in: no link to an account elsewhere, no code', async () => {
    const own = await openTestOffice({ atBaseUrl: true })
    const directory = await newDirectory(own)
    const [email, next] = [`ada@${directory.domain}`, `lovelace@${directory.domain}`]
    const { answer } = await signInFederated(own, 'continueWithProviderA', email)
    const { id } = (answer.body as { user: { id: string } }).user
    await directory.scim.send('POST', '/Users', { schemas: [USER], userName: email, active: true })
    const waiting = own.browser()
    const code = await freshCodeFor(own, email, () => waiting.call('signIn', { email }))
    expect(await directory.scim.patch(`/Users/${id}`, addressTo(next))).toMatchObject({ status: 200 })
    expect(await waiting.request('finalizeMagicAuth', { email, code })).toMatchObject({ status: 400 })
    await expectNewLink(own, { former: email, next, user: id })
    await own.close()
  })

  it('is erased under the address of before too', async () => {
    const directory = await newDirectory(office)
    const elsewhere = await newFounder(office)
    const { id, email } = await provisioned(directory)
    await signInAgain(office, email)
    await elsewhere.browser.call('sendInvitation', { email, role: 'member' })
    const next = `next-${id}@${directory.domain}`
    expect(await directory.scim.patch(`/Users/${id}`, addressTo(next))).toMatchObject({ status: 200 })
    const { browser } = await signInAgain(office, next)
    await deleteAccountOf(office, { browser })
    await untilErased(office, id)
    const { rows } = await office.database.pool.query(
      `select (select count(*)::int from email_codes where email = $1) as codes,
        (select count(*)::int from code_requests where email = $1) as requests,
        (select count(*)::int from invitations where email = $1) as invitations`,
      [email],
    )
    expect(rows).toEqual([{ codes: 0, requests: 0, invitations: 0 }])
  })

  it('keeps the address that its person has changed at the same moment', async () => {
    const directory = await newDirectory(office)
    const { id } = await provisioned(directory)
    const mine = freshEmail()
    const change = await hold(office, 'update users set email = $2 where id = $1', [id, mine])
    const asked = directory.scim.patch(`/Users/${id}`, addressTo(`next-${id}@${directory.domain}`))
    await untilBlocked(office, 1)
    await change.commit()
    expect(await asked).toMatchObject({ status: 409 })
    const { rows } = await office.database.pool.query('select email from users where id = $1', [id])
    expect(rows).toEqual([{ email: mine }])
  })

  it('changes no address where only an operator vouches for the domain, nor to one that another account has', async () => {
    const believed = await newDirectory(office, 'believed')
    const one = await provisioned(believed)
    expect(await believed.scim.patch(`/Users/${one.id}`, addressTo(`x@${believed.domain}`))).toMatchObject({
      status: 200,
      body: { emails: [{ value: `x@${believed.domain}` }] },
    })
    await signInAgain(office, one.email)

    const proven = await newDirectory(office)
    const [first, second] = [await provisioned(proven), await provisioned(proven)]
    expect(await proven.scim.patch(`/Users/${first.id}`, addressTo(second.email))).toMatchObject({
      status: 200,
      body: { emails: [{ value: second.email }] },
    })
    expect((await signInAgain(office, second.email)).user).toMatchObject({ id: second.id })
    expect(await proven.scim.patch(`/Users/${first.id}`, addressTo(freshEmail()))).toMatchObject({
      status: 200,
    })
    await signInAgain(office, first.email)
  })

  it('keeps an address that the account may not follow in its own view, where it opens nothing', async () => {
    const directory = await newDirectory(office, 'believed')
    const { id, email } = await provisioned(directory)
    const said = `said-${id}@${directory.domain}`
    const path = `/Users/${id}`
    await directory.scim.patch(path, addressTo(said))
    const found = async (by: string) =>
      (await directory.scim.get(`/Users?filter=${encodeURIComponent(`emails.value eq "${by}"`)}`)).body
    expect(await found(said)).toMatchObject({ totalResults: 1, Resources: [{ id }] })
    expect(await found(email)).toMatchObject({ totalResults: 0 })
    // neither sign-in nor another account of it leads to them
    expect((await signInAgain(office, email)).user).toMatchObject({ id })
    const other = await directory.scim.send('POST', '/Users', { userName: said })
    expect(other).toMatchObject({ status: 201, body: { emails: [{ value: said }] } })
    expect(other.body.id).not.toBe(id)
    // the next change of something else takes it up no more
    const renamed = { op: 'replace', path: 'displayName', value: 'Ada' }
    expect(await directory.scim.patch(path, renamed)).toMatchObject({
      body: { emails: [{ value: said }] },
    })
    expect((await signInAgain(office, email)).user).toMatchObject({ id, email })
    expect(await directory.scim.patch(path, addressTo(email))).toMatchObject({
      status: 200,
      body: { emails: [{ value: email }] },
    })
    const { rows } = await office.database.pool.query('select email from scim_users where user_id = $1', [id])
    expect(rows).toEqual([{ email: null }])
  })
})

describe('the address of a user of whom the directory says none', () => {
  const rename = (userName: string) => ({ op: 'replace', path: 'userName', value: userName })

  it.each<[string, (directory: Directory, id: string, userName: string) => Promise<{ body: unknown }>]>([
    ['PATCH', ({ scim }, id, userName) => scim.patch(`/Users/${id}`, rename(userName))],
    ['PUT', ({ scim }, id, userName) => scim.send('PUT', `/Users/${id}`, { userName })],
  ])('is their userName after a %s of it too, and the former one is free', async (_, change) => {
    const directory = await newDirectory(office)
    const { id, email } = await provisioned(directory)
    for (const name of [`married-${email}`, `again-${email}`]) {
      expect(await change(directory, id, name)).toMatchObject({
        status: 200,
        body: { userName: name, emails: [{ value: name }] },
      })
      const { data } = await directory.founder.browser.call('listMembers', { query: name })
      expect(data).toMatchObject([{ id, email: name }])
    }
    const next = await directory.scim.send('POST', '/Users', { userName: email })
    expect(next).toMatchObject({ status: 201 })
    expect(next.body.id).not.toBe(id)
    // what is no address changes none
    expect(await change(directory, id, 'ada')).toMatchObject({
      body: { emails: [{ value: `again-${email}` }] },
    })
  })

  it('stays as it was said once, with the same value too', async () => {
    const directory = await newDirectory(office)
    const { id, email } = await provisioned(directory)
    const said = { op: 'replace', path: 'emails[primary eq true].value', value: email }
    await directory.scim.patch(`/Users/${id}`, said)
    expect(await directory.scim.patch(`/Users/${id}`, rename(`new-${email}`))).toMatchObject({
      body: { userName: `new-${email}`, emails: [{ value: email }] },
    })
    const { id: other, email: its } = await provisioned(directory)
    await directory.scim.send('PUT', `/Users/${other}`, { userName: its, emails: [{ value: its }] })
    expect(await directory.scim.send('PUT', `/Users/${other}`, { userName: `new-${its}` })).toMatchObject({
      body: { userName: `new-${its}`, emails: [{ value: its }] },
    })
  })

  it.each(['emails', 'emails[type eq "work"]', 'emails[type eq "work"].value'])(
    'stays where a directory takes it away as Entra does (%s), and the rest is changed',
    async (path) => {
      const directory = await newDirectory(office)
      const value = `m-${randomUUID()}@${directory.domain}`
      const { id } = await provisioned(directory, { emails: [{ value, type: 'work', primary: true }] })
      const rest = { op: 'Replace', path: 'name.familyName', value: 'Changed' }
      expect(await directory.scim.patch(`/Users/${id}`, { op: 'Remove', path }, rest)).toMatchObject({
        status: 200,
        body: { name: { familyName: 'Changed' }, emails: [{ value }] },
      })
    },
  )
})

describe('a whole resource', () => {
  it('takes the place of the one before; what is not said of address and being active stays', async () => {
    const directory = await newDirectory(office)
    const { id, email } = await provisioned(directory, {
      externalId: 'e',
      displayName: 'Ada',
      name: { givenName: 'A' },
    })
    const put = await directory.scim.send('PUT', `/Users/${id}`, {
      schemas: [USER],
      id: 'other',
      userName: 'ada',
    })
    expect(put).toMatchObject({
      status: 200,
      body: { id, userName: 'ada', active: true, emails: [{ value: email }] },
    })
    expect(put.body).not.toHaveProperty('externalId')
    expect(put.body).not.toHaveProperty('displayName')
    expect(put.body).not.toHaveProperty('name')
  })

  it('is not written where it was changed meanwhile', async () => {
    const directory = await newDirectory(office)
    const { id, etag } = await provisioned(directory)
    const path = `/Users/${id}`
    const put = (ifMatch: string, userName: string) =>
      directory.scim.send('PUT', path, { userName }, { 'if-match': ifMatch })
    const first = await put(etag, 'first')
    expect(first.status).toBe(200)
    expect(await put(etag, 'second')).toMatchObject({ status: 412, body: { status: '412' } })
    expect(await put('*', 'third')).toMatchObject({ status: 200 })
    expect(await directory.scim.send('DELETE', path, undefined, { 'if-match': etag })).toMatchObject({
      status: 412,
    })
    const now = await directory.scim.get(path)
    const known = now.headers.get('etag') as string
    expect(await directory.scim.get(path, { 'if-none-match': known })).toMatchObject({
      status: 304,
      body: undefined,
    })
    expect(await directory.scim.get(path, { 'if-none-match': etag })).toMatchObject({ status: 200 })
    // what changes nothing leaves it as it is
    const same = await put('*', 'third')
    expect(same.headers.get('etag')).toBe(known)
  })

  it('leaves the last admin where they are', async () => {
    const directory = await newDirectory(office)
    const path = `/Users/${directory.founder.id}`
    const kept = { status: 409, body: { detail: expect.stringContaining('at least one admin') } }
    expect(await directory.scim.patch(path, { op: 'replace', value: { active: false } })).toMatchObject(kept)
    expect(await directory.scim.send('DELETE', path)).toMatchObject(kept)
    expect((await directory.scim.get(path)).body).toMatchObject({ active: true, roles: [{ value: 'admin' }] })
  })
})

describe('another token of the organization', () => {
  it('goes on with the same people', async () => {
    const directory = await newDirectory(office)
    const { id } = await provisioned(directory)
    const { token } = await directory.founder.browser.call('createDirectoryConnection', { name: 'Next' })
    await directory.founder.browser.call('revokeDirectoryConnection', { id: directory.connectionId })
    expect(await directory.scim.get(`/Users/${id}`)).toMatchObject({ status: 401 })
    expect(await scimClient(office, token).get(`/Users/${id}`)).toMatchObject({ status: 200 })
  })
})
