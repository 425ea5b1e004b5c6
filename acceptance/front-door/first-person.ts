import assert from 'node:assert/strict'
import { expectRefusal, expectStatus } from '../expect.ts'
import { firstMail } from '../mailbox.ts'
import { fresh, newcomer, type Person, sessionOf, startSignIn } from '../person.ts'
import type { Steps } from '../steps.ts'
import type { Office } from '../walk.ts'

/** A newcomer signs up, makes an organization, takes a name, leaves, and comes back. */
export async function firstPerson(office: Office, steps: Steps): Promise<void> {
  const ada = newcomer(office, 'ada')
  await enter(office, steps, ada)
  const organization = await makeOrganization(steps, ada)
  await takeName(steps, ada)
  await leave(steps, ada)
  await comeBack(office, steps, ada, organization.id)
}

async function enter(office: Office, { step, check }: Steps, ada: Person): Promise<void> {
  const { email, client } = ada
  const code = await step('sign-up mails a code of six digits', async () => {
    const { body } = expectStatus(await client.request('signUp', { email }), 201)
    assert.equal(body.code, 201)
    assert.ok(body.message)
    const mail = await firstMail(office, email)
    assert.match(mail.code ?? '', /^\d{6}$/)
    return mail.code ?? ''
  })
  await step('the code signs in, with a session cookie that scripts cannot read', async () => {
    const answer = expectStatus(await client.request('finalizeMagicAuth', { email, code }), 200)
    const { user } = answer.body
    assert.equal(user.email, email)
    assert.deepEqual(Object.keys(user).sort(), ['avatarURL', 'email', 'firstName', 'id', 'lastName'])
    const cookie = answer.headers.getSetCookie().find((text) => /^(__Host-)?atrium_session=/.test(text)) ?? ''
    for (const attribute of [/; *HttpOnly/i, /; *SameSite=Lax/i, /; *Path=\/(;|$)/i])
      assert.match(cookie, attribute)
    assert.equal(cookie.startsWith('__Host-'), /; *Secure/i.test(cookie), 'prefix and Secure go together')
  })
  await check('a newcomer belongs to no organization', async () => {
    const user = await client.call('getCurrentUser')
    assert.equal(user.email, email)
    assert.equal(user.currentOrganizationId, '')
    assert.deepEqual(user.organizationMemberships, [])
    assert.equal(user.avatarUrl, null)
    assert.equal(user.manualStatus, null)
    assert.equal(typeof user.integrations.providerACalendar.enabled, 'boolean')
    assert.equal(user.integrations.providerACalendar.connected, false)
    for (const time of [user.createdAt, user.updatedAt]) assert.match(time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  })
  await check("the identity provider's id of a user is their id in presence, and nowhere else", async () => {
    const { presenceUserId, ...user } = await client.call('getCurrentUser')
    assert.match(presenceUserId ?? '', /^user_/)
    assert.doesNotMatch(JSON.stringify(user), /"user_/)
  })
  await check('the list of organizations is empty', async () => {
    assert.deepEqual(await client.call('listOrganizations'), [])
  })
}

async function makeOrganization({ step, check }: Steps, { client }: Person) {
  const name = fresh('Analytical Engines')
  const organization = await step('an organization is created', async () => {
    const { body } = expectStatus(await client.request('createOrganization', { name }), 200)
    assert.match(body.id, /^org_/)
    assert.deepEqual(body, { id: body.id, organizationName: name, domains: [] })
    return body
  })
  await check('it is listed, with its creator as admin', async () => {
    assert.deepEqual(await client.call('listOrganizations'), [
      { organizationId: organization.id, organizationName: name, userRole: 'admin' },
    ])
  })
  await check('it is the active one, since none was', async () => {
    const user = await client.call('getCurrentUser')
    assert.equal(user.currentOrganizationId, organization.id)
    const [membership, ...others] = user.organizationMemberships
    const { permissions, ...rest } = membership ?? {}
    assert.deepEqual(rest, {
      organization: { id: organization.id, name, logoUrl: null },
      role: 'admin',
      status: 'active',
    })
    assert.ok(permissions?.includes('EditOrganization'))
    assert.deepEqual(others, [])
  })
  return organization
}

async function takeName({ step, check }: Steps, { client }: Person): Promise<void> {
  const displayName = `Ada Lovelace ♥ ${fresh('')}`
  await step('the display name is changed', async () => {
    const { body } = expectStatus(await client.request('updateProfile', { displayName }), 200)
    assert.equal(body.displayName, displayName)
    assert.deepEqual(await client.call('getCurrentUser'), body)
  })
  await check('a name of 1 or 101 characters, or none, is refused; 2 and 100 are not', async () => {
    for (const refused of ['A', 'A'.repeat(101), '']) {
      expectRefusal(await client.request('updateProfile', { displayName: refused }), 400)
    }
    for (const accepted of ['Al', 'A'.repeat(100), displayName]) {
      expectStatus(await client.request('updateProfile', { displayName: accepted }), 200)
    }
  })
  await check('the earlier path answers the same, and names its successor', async () => {
    const answer = expectStatus(await client.request('getUserInfo'), 200)
    assert.deepEqual(answer.body, await client.call('getCurrentUser'))
    assert.ok(answer.headers.get('deprecation'), 'there is a Deprecation header')
    assert.match(answer.headers.get('link') ?? '', /<[^>]*\/user\/get>/)
  })
}

async function leave({ step, check }: Steps, ada: Person): Promise<void> {
  const before = sessionOf(ada)
  await step('sign-out answers where to go', async () => {
    const { body } = expectStatus(await ada.client.request('signOut'), 200)
    assert.ok(URL.canParse(body.authData.redirectURL), `an address: ${body.authData.redirectURL}`)
    assert.equal(sessionOf(ada), undefined, 'the cookie is taken back')
  })
  await check('after it there is no session, with the old cookie neither', async () => {
    expectRefusal(await ada.client.request('getCurrentUser'), 401)
    expectRefusal(await ada.client.request('signOut'), 401)
    assert.ok(before)
    ada.cookies.set(before.name, before.value)
    expectRefusal(await ada.client.request('getCurrentUser'), 401)
    ada.cookies.clear()
  })
}

async function comeBack(office: Office, { step }: Steps, ada: Person, organizationId: string): Promise<void> {
  await step('coming back leads into the one organization', async () => {
    const code = await startSignIn(office, ada)
    const { body } = expectStatus(
      await ada.client.request('finalizeMagicAuth', { email: ada.email, code }),
      200,
    )
    assert.ok('firstName' in body.user, 'nothing is left to choose')
    const user = await ada.client.call('getCurrentUser')
    assert.equal(user.id, body.user.id)
    assert.equal(user.currentOrganizationId, organizationId)
  })
}
