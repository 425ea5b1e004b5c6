import assert from 'node:assert/strict'
import { expectRefusal, expectStatus } from './expect.ts'
import { nextCode, nextMail } from './mailbox.ts'
import { fresh, newcomer, type Person, signedUp } from './person.ts'
import type { Steps } from './steps.ts'
import type { Office } from './walk.ts'

/** Signing up by a token: the link of an organization, an invitation of one's own, a pilot token. */
export async function signUps(office: Office, steps: Steps): Promise<void> {
  const { step, check } = steps
  await check('sign-ups with a token that nobody made are refused', async () => {
    const { email, client } = newcomer(office)
    for (const way of ['memberSignUp', 'adminSignUp'] as const)
      expectRefusal(await client.request(way, { email, inviteToken: fresh('token') }), 400)
  })
  const founder = await signedUp(office, 'host')
  const organization = await founder.client.call('createOrganization', { name: fresh('Hosts') })

  await step(
    'the link of an organization signs up a member, who is one when the code is proven',
    async () => {
      const { inviteLink } = await founder.client.call('getInviteLink')
      const inviteToken = new URL(inviteLink).searchParams.get('invite_token') ?? ''
      const guest = newcomer(office, 'linked')
      await signUpWith(office, guest, 'memberSignUp', inviteToken)
      await worksIn(guest, organization.id, 'member')
    },
  )
  await step('so does an invitation, in its role, for the address that it was sent to', async () => {
    const guest = newcomer(office, 'invited')
    const { email } = guest
    const invite = () => founder.client.call('sendInvitation', { email, role: 'moderator' })
    const { link = '' } = await nextMail(office, email, invite)
    const inviteToken = new URL(link).searchParams.get('invitation_token') ?? ''
    const another = newcomer(office, 'thief')
    expectRefusal(await another.client.request('memberSignUp', { email: another.email, inviteToken }), 400)
    await signUpWith(office, guest, 'memberSignUp', inviteToken)
    await worksIn(guest, organization.id, 'moderator')
  })
  const { own } = office
  if (!own) return
  await step('a pilot token of the command line signs up the first person of a customer, once', async () => {
    const inviteToken = (await own.command('pilot-token', 'create')).trim()
    const pilot = newcomer(office, 'pilot')
    await signUpWith(office, pilot, 'adminSignUp', inviteToken)
    const { id } = await pilot.client.call('createOrganization', { name: fresh('Pilots') })
    await worksIn(pilot, id, 'admin')
    const second = newcomer(office, 'second')
    expectRefusal(await second.client.request('adminSignUp', { email: second.email, inviteToken }), 400)
  })
}

async function signUpWith(
  office: Office,
  { email, client }: Person,
  way: 'memberSignUp' | 'adminSignUp',
  inviteToken: string,
): Promise<void> {
  const code = await nextCode(office, email, async () => {
    expectStatus(await client.request(way, { email, inviteToken }), 201)
  })
  expectRefusal(await client.request('getCurrentUser'), 401)
  const { body } = expectStatus(await client.request('finalizeMagicAuth', { email, code }), 200)
  assert.equal(body.user.email, email)
}

async function worksIn({ client }: Person, organizationId: string, role: string): Promise<void> {
  const user = await client.call('getCurrentUser')
  assert.equal(user.currentOrganizationId, organizationId)
  assert.deepEqual(
    user.organizationMemberships.map((membership) => [membership.organization.id, membership.role]),
    [[organizationId, role]],
  )
}
