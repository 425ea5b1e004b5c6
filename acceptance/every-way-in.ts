import assert from 'node:assert/strict'
import { expectRefusal, expectStatus } from './expect.ts'
import { atLogin, logIn } from './login.ts'
import { fresh, newcomer, type Person, personWith, signedUp } from './person.ts'
import { signUps } from './sign-ups.ts'
import type { Steps } from './steps.ts'
import type { Office, Walk } from './walk.ts'

/** Social sign-in, single sign-on, moving between organizations and sign-ups, with the issuers of the sandbox. */
export const everyWayIn: Walk = {
  name: 'every-way-in',
  async run(office, steps) {
    for (const way of ['continueWithProviderA', 'continueWithProviderB'] as const)
      await bySocialSignIn(office, steps, way)
    await bySingleSignOn(office, steps)
    await switching(office, steps)
    await signUps(office, steps)
  },
}

async function bySocialSignIn(
  office: Office,
  { step, check }: Steps,
  way: 'continueWithProviderA' | 'continueWithProviderB',
): Promise<void> {
  const person = newcomer(office, 'social')
  const code = await step(`${way} leads to a login page, and back with a code and the state`, async () => {
    const { body } = expectStatus(await person.client.request(way), 200)
    assert.deepEqual(Object.keys(body), ['authData'])
    assert.deepEqual(Object.keys(body.authData).sort(), ['redirectURL', 'state'])
    const end = await logIn(office, person, body.authData.redirectURL, person.email)
    assert.equal(end.searchParams.get('state'), body.authData.state)
    return end.searchParams.get('code') ?? ''
  })
  await check('the code is worth nothing in another browser', async () => {
    expectRefusal(await newcomer(office).client.request('finalizeOauth', { code }), 400)
  })
  await step('the code signs in, in the browser that began', async () => {
    const { body } = expectStatus(await person.client.request('finalizeOauth', { code }), 200)
    assert.deepEqual(Object.keys(body.user).sort(), ['avatarURL', 'email', 'firstName', 'id', 'lastName'])
    assert.equal(body.user.email, person.email)
    assert.equal((await person.client.call('getCurrentUser')).email, person.email)
  })
  await check('it does so once', async () => {
    expectRefusal(await person.client.request('finalizeOauth', { code }), 400)
  })
  await check('somebody who had an account has the same one', async () => {
    const known = await signedUp(office)
    const again = personWith(office, known.email)
    const { authData } = await again.client.call(way)
    const end = await logIn(office, again, authData.redirectURL, known.email)
    const { user } = await again.client.call('finalizeOauth', { code: end.searchParams.get('code') ?? '' })
    assert.equal(user.id, (await known.client.call('getCurrentUser')).id)
  })
}

async function bySingleSignOn(office: Office, { step, check }: Steps): Promise<void> {
  const colleague = personWith(office, `${fresh('grace')}@sso.example`)
  await step(
    'an address of a captured domain is sent to its single sign-on, and enters its organization',
    () => arriveBySingleSignOn(office, colleague),
  )
  await check('the session it makes founds another organization and enters it', async () => {
    const { email, client } = colleague
    const { id } = await client.call('createOrganization', { name: fresh('Elsewhere') })
    expectStatus(await client.request('switchOrganization', { email, organizationId: id }), 200)
    assert.equal((await client.call('getCurrentUser')).currentOrganizationId, id)
  })
  await check('there is no code for such an address', async () => {
    const { email, client } = personWith(office, colleague.email)
    expectRefusal(await client.request('finalizeMagicAuth', { email, code: '000000' }), 400)
  })
  await check('somebody of another domain does not come in by it', async () => {
    const { email, client, ...rest } = personWith(office, `${fresh('eve')}@sso.example`)
    const { authData } = await client.call('signIn', { email })
    assert.ok('redirectURL' in authData)
    const end = await logIn(office, { email, client, ...rest }, authData.redirectURL, 'eve@elsewhere.example')
    const code = end.searchParams.get('code') ?? ''
    expectRefusal(await client.request('finalizeOauth', { code }), 400)
    expectRefusal(await client.request('getCurrentUser'), 401)
  })
}

async function arriveBySingleSignOn(office: Office, person: Person): Promise<void> {
  const { email, client } = person
  const { body } = expectStatus(await client.request('signIn', { email }), 200)
  const { authData } = body
  assert.deepEqual(Object.keys(authData).sort(), ['authMethod', 'redirectURL', 'state'])
  assert.ok(authData.authMethod === 'sso')
  const page = await atLogin(office, person, authData.redirectURL)
  assert.match(page.html, /<input[^>]*name="email"/)
  const end = await logIn(office, person, authData.redirectURL, email)
  expectStatus(await client.request('finalizeOauth', { code: end.searchParams.get('code') ?? '' }), 200)
  const user = await client.call('getCurrentUser')
  assert.equal(user.organizationMemberships.length, 1)
  assert.equal(user.currentOrganizationId, user.organizationMemberships[0]?.organization.id)
}

async function switching(office: Office, { step, check }: Steps): Promise<void> {
  const person = await signedUp(office, 'mover')
  const { email, client } = person
  const first = await client.call('createOrganization', { name: fresh('First') })
  const second = await client.call('createOrganization', { name: fresh('Second') })
  await step('a session moves into another organization of its person', async () => {
    expectStatus(await client.request('switchOrganization', { email, organizationId: second.id }), 200)
    assert.equal((await client.call('getCurrentUser')).currentOrganizationId, second.id)
  })
  await check('not without a session, for another address, or into an organization of others', async () => {
    const back = { email, organizationId: first.id }
    expectRefusal(await newcomer(office).client.request('switchOrganization', back), 401)
    const another = { ...back, email: newcomer(office).email }
    expectRefusal(await client.request('switchOrganization', another), 403)
    const foreign = { ...back, organizationId: 'org_00000000000000000000NOBODY' }
    expectRefusal(await client.request('switchOrganization', foreign), 404)
  })
}
