import assert from 'node:assert/strict'
import { expectRefusal, expectStatus } from '../expect.ts'
import { fresh, type Person, sessionOf, signedUp, startSignIn } from '../person.ts'
import type { Steps } from '../steps.ts'
import type { Office } from '../walk.ts'

/** A member of two organizations chooses one when signing in. */
export async function severalOrganizations(office: Office, steps: Steps): Promise<void> {
  const { step } = steps
  const grace = await step('a second person signs up and makes two organizations', () => inTwo(office))
  const pending = await arrive(office, steps, grace)
  await choose(steps, grace, pending)
}

interface InTwo extends Person {
  organizations: { id: string; name: string }[]
}

async function inTwo(office: Office): Promise<InTwo> {
  const grace = await signedUp(office, 'grace')
  const organizations: InTwo['organizations'] = []
  for (const name of [fresh('Harbour'), fresh('Harvard')]) {
    const { id } = await grace.client.call('createOrganization', { name })
    organizations.push({ id, name })
  }
  const user = await grace.client.call('getCurrentUser')
  assert.equal(user.organizationMemberships.length, 2)
  assert.equal(user.currentOrganizationId, organizations[0]?.id, 'the first stays active')
  return { ...grace, organizations }
}

async function arrive(office: Office, { step, check }: Steps, grace: InTwo): Promise<string> {
  const { email, client, organizations } = grace
  await client.call('signOut')
  const pending = await step('signing in again asks for the organization', async () => {
    const code = await startSignIn(office, grace)
    const { body } = expectStatus(await client.request('finalizeMagicAuth', { email, code }), 200)
    assert.ok('pendingAuthenticationToken' in body.user, JSON.stringify(body))
    const { id, email: shown, pendingAuthenticationToken, organizations: offered, ...rest } = body.user
    assert.equal(shown, email)
    assert.ok(id && pendingAuthenticationToken)
    assert.deepEqual([...offered].sort(byId), [...organizations].sort(byId))
    assert.deepEqual(rest, {})
    return pendingAuthenticationToken
  })
  await check('until then nobody is signed in', async () => {
    assert.equal(sessionOf(grace), undefined)
    expectRefusal(await client.request('getCurrentUser'), 401)
  })
  return pending
}

async function choose({ step, check }: Steps, grace: InTwo, pending: string): Promise<void> {
  const { email, client, organizations } = grace
  const [, second] = organizations
  assert.ok(second)
  const selection = { pendingAuthenticationToken: pending, organizationId: second.id }
  await check(
    'an organization that was not offered is not found, and an unknown token is refused',
    async () => {
      const foreign = { ...selection, organizationId: fresh('org_') }
      expectRefusal(await client.request('selectOrganization', foreign), 404)
      const unknown = { ...selection, pendingAuthenticationToken: fresh('token') }
      expectRefusal(await client.request('selectOrganization', unknown), 400)
    },
  )
  await step('a wrong pick has not spent the token: the chosen one becomes active', async () => {
    const { body } = expectStatus(await client.request('selectOrganization', selection), 200)
    assert.deepEqual(Object.keys(body.user).sort(), ['avatarURL', 'email', 'firstName', 'id', 'lastName'])
    assert.equal(body.user.email, email)
    assert.equal((await client.call('getCurrentUser')).currentOrganizationId, second.id)
  })
  await check('the token is spent', async () => {
    expectRefusal(await client.request('selectOrganization', selection), 400)
  })
}

function byId(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? -1 : 1
}
