import assert from 'node:assert/strict'
import { expectRefusal, expectStatus } from '../expect.ts'
import { type Mail, nextMail } from '../mailbox.ts'
import { type Person, signedUp } from '../person.ts'
import { sendRaw } from '../raw-http.ts'
import type { Steps } from '../steps.ts'
import type { Office } from '../walk.ts'

export interface Founded {
  founder: Person
  /** Of the organization. */
  id: string
  name: string
}

/** Who comes in by an invitation, and who by the link. */
export interface Invited {
  byInvitation: Person
  byLink: Person
}

export async function invitations(office: Office, steps: Steps, founded: Founded): Promise<Invited> {
  const byInvitation = await byMail(office, steps, founded)
  const byLink = await byTheLink(office, steps, founded)
  return { byInvitation, byLink }
}

async function byMail(office: Office, { step, check }: Steps, founded: Founded): Promise<Person> {
  const { founder, id, name } = founded
  const caroline = await step('a person without an organization', () => signedUp(office, 'caroline'))
  const { email } = caroline
  const mail = await step('is invited as a moderator, by mail', () =>
    nextMail(office, email, () => founder.client.call('sendInvitation', { email, role: 'moderator' })),
  )
  const token = tokenOf(mail)
  await check('the mail names the organization and leads to the invitation', async () => {
    assert.ok(mail.subject.includes(name), mail.subject)
    assert.ok(mail.html.includes('invitation_token='))
  })
  await check('the list shows it pending', async () => {
    const { data, before, after } = await founder.client.call('listInvitation', { email })
    assert.deepEqual([data.length, before, after], [1, null, null])
    assert.equal(data[0]?.state, 'pending')
    assert.equal(data[0]?.token, token)
    assert.equal(data[0]?.organizationId, id)
  })
  await check('a scanner that opens it over and over does not use it up', async () => {
    for (let n = 0; n < 20; n += 1) {
      const url = `${office.url}/auth/invitation?token=${encodeURIComponent(token)}`
      assert.equal((await sendRaw(url, { method: n % 2 === 0 ? 'GET' : 'HEAD' })).status, 200)
    }
  })
  await check('somebody else who has the token cannot accept it', async () => {
    const thief = await signedUp(office, 'thief')
    expectRefusal(await thief.client.request('acceptInvitation', { token }), 403)
  })
  await step('the person accepts, once', async () => {
    const { body } = expectStatus(await caroline.client.request('acceptInvitation', { token }), 200)
    assert.equal(body.role, 'moderator')
    expectRefusal(await caroline.client.request('acceptInvitation', { token }), 409)
    assert.equal((await caroline.client.call('getCurrentUser')).currentOrganizationId, id)
  })
  await check('a revoked invitation is dead: 410', async () => {
    const other = await signedUp(office, 'other')
    const invite = () => founder.client.call('sendInvitation', { email: other.email })
    const dead = tokenOf(await nextMail(office, other.email, invite))
    const { data } = await founder.client.call('listInvitation', { email: other.email })
    const revoked = await founder.client.call('revokeInvitation', { invitationId: data[0]?.id ?? '' })
    assert.equal(revoked.state, 'revoked')
    expectRefusal(await other.client.request('acceptInvitation', { token: dead }), 410)
  })
  return caroline
}

async function byTheLink(office: Office, { step, check }: Steps, { founder, id }: Founded): Promise<Person> {
  const old = await step('the invite link is made when it is first asked for', () => linkToken(founder))
  await check('and stays the same', async () => assert.equal(await linkToken(founder), old))
  await step('it is reset', () => founder.client.call('resetInviteLink'))
  const william = await step('a person with the old link stays outside', async () => {
    const william = await signedUp(office, 'william')
    expectRefusal(await william.client.request('joinOrganization', { inviteToken: old }), 400)
    return william
  })
  await step('with the new one they come in as a member', async () => {
    const joined = await william.client.call('joinOrganization', { inviteToken: await linkToken(founder) })
    assert.deepEqual([joined.organizationId, joined.userRole], [id, 'member'])
  })
  return william
}

async function linkToken({ client }: Person): Promise<string> {
  const { inviteLink } = await client.call('getInviteLink')
  return new URL(inviteLink).searchParams.get('invite_token') ?? ''
}

function tokenOf({ link }: Mail): string {
  const token = link && new URL(link).searchParams.get('invitation_token')
  assert.ok(token, 'the mail has a link with a token')
  return token
}
