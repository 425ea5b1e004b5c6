import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshEmail, openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import {
  auditOf,
  codeFor,
  invitationTokenFor,
  linkTokenOf,
  mailsTo,
  newFounder,
  newPerson,
  signInAgain,
} from '../../../../tests/people.ts'

describe('memberSignUp', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  /** An organization, and a visitor who has its link. */
  async function invited(name = 'Harbour') {
    const founder = await newFounder(office, name)
    const token = await linkTokenOf(founder)
    return { founder, token, organizationId: founder.organizationId, email: freshEmail() }
  }
  /** The same, invited by mail. */
  async function invitedByMail(role: 'guest' | 'moderator', email = freshEmail()) {
    const founder = await newFounder(office, 'Harbour')
    await founder.browser.call('sendInvitation', { email, role })
    const token = await invitationTokenFor(office, email)
    return { founder, token, organizationId: founder.organizationId, email }
  }
  async function memberships(email: string): Promise<{ role: string; status: string }[]> {
    const { rows } = await office.database.pool.query(
      'select m.role, m.status from memberships m join users u on u.id = m.user_id where u.email = $1',
      [email],
    )
    return rows
  }

  it('joins when the code is finalized, and not before', async () => {
    const { founder, token, email, organizationId } = await invitedByMail('moderator')
    const browser = office.browser()
    expect(await browser.request('memberSignUp', { email, inviteToken: token })).toMatchObject({
      status: 201,
      body: { code: 201 },
    })
    expect(await memberships(email)).toEqual([])
    await browser.call('finalizeMagicAuth', { email, code: await codeFor(office, email) })
    expect(await memberships(email)).toEqual([{ role: 'moderator', status: 'active' }])
    expect((await browser.call('getCurrentUser')).currentOrganizationId).toBe(organizationId)
    expect((await auditOf(founder)).at(-1)).toMatchObject({ action: 'invitation.accepted' })
    expect(await office.browser().request('memberSignUp', { email, inviteToken: token })).toMatchObject({
      status: 400,
      body: { error: 'invalid-invite-token' },
    })
  })

  it('names the organization in the mail, unless its name would become a link', async () => {
    const first = await invited()
    await office.browser().call('memberSignUp', { email: first.email, inviteToken: first.token })
    expect((await mailsTo(office, first.email))[0]?.text).toContain('"Harbour"')
    const second = await invited('win.example/prize')
    await office.browser().call('memberSignUp', { email: second.email, inviteToken: second.token })
    expect((await mailsTo(office, second.email))[0]?.text).not.toContain('win.example')
  })

  it('names the organization in the mails of codes that are sent again too, by whomever', async () => {
    const { token, email } = await invited()
    const browser = office.browser()
    await browser.call('memberSignUp', { email, inviteToken: token })
    await browser.call('resendMagicAuth', { email })
    await office.browser().call('resendMagicAuth', { email })
    const mails = await mailsTo(office, email)
    expect(mails).toHaveLength(3)
    for (const { text, html } of mails) {
      expect(text).toContain('makes you a member of "Harbour"')
      expect(html).toContain('makes you a member of')
    }
    await browser.call('signIn', { email })
    expect((await mailsTo(office, email))[0]?.text).not.toContain('member')
  })

  it('joins after the code has been sent again', async () => {
    const { token, email } = await invited()
    await office.browser().call('memberSignUp', { email, inviteToken: token })
    await office.browser().call('resendMagicAuth', { email })
    await office.browser().call('finalizeMagicAuth', { email, code: await codeFor(office, email) })
    expect(await memberships(email)).toHaveLength(1)
  })

  it('refuses a dead token with 400, one that is over with 410, and sends no mail', async () => {
    const email = freshEmail()
    const { founder, token } = await invitedByMail('guest')
    const { data } = await founder.browser.call('listInvitation')
    await founder.browser.call('revokeInvitation', { invitationId: data[0]?.id ?? '' })
    expect(await office.browser().request('memberSignUp', { email, inviteToken: 'none' })).toMatchObject({
      status: 400,
      body: { code: 400, error: 'invalid-invite-token' },
    })
    expect(await office.browser().request('memberSignUp', { email, inviteToken: token })).toMatchObject({
      status: 410,
      body: { code: 410 },
    })
    expect(await mailsTo(office, email)).toEqual([])
  })

  it('keeps an invitation for the address it was sent to', async () => {
    const { token } = await invitedByMail('guest')
    const email = freshEmail()
    expect(await office.browser().request('memberSignUp', { email, inviteToken: token })).toMatchObject({
      status: 400,
      body: { error: 'invalid-invite-token' },
    })
  })

  it('joins no organization where the token has died before the code was typed; the person is signed in', async () => {
    const { founder, token, email } = await invited()
    const browser = office.browser()
    await browser.call('memberSignUp', { email, inviteToken: token })
    await founder.browser.call('resetInviteLink')
    await browser.call('finalizeMagicAuth', { email, code: await codeFor(office, email) })
    expect(await memberships(email)).toEqual([])
    expect((await browser.call('getCurrentUser')).currentOrganizationId).toBe('')
  })

  /** What the finalizer says of a join, where something happens between the sign-up and the code. */
  async function joinedAfter(
    signUp: { token: string; email: string },
    meanwhile: () => Promise<unknown> = async () => {},
  ) {
    const { token, email } = signUp
    const browser = office.browser()
    await browser.call('memberSignUp', { email, inviteToken: token })
    const code = await codeFor(office, email)
    await meanwhile()
    return (await browser.call('finalizeMagicAuth', { email, code })).joined
  }

  it('tells in the reply of the finalizer how the join has ended', async () => {
    const [plain, reset] = [await invited(), await invited()]
    const mailed = await invitedByMail('guest')
    const organizationId = (of: { organizationId: string }) => of.organizationId
    expect(await joinedAfter(plain)).toEqual({ organizationId: organizationId(plain), state: 'joined' })
    const { browser } = reset.founder
    expect(await joinedAfter(reset, () => browser.call('resetInviteLink'))).toEqual({
      organizationId: organizationId(reset),
      state: 'revoked',
    })
    const revoke = async () => {
      const { data } = await mailed.founder.browser.call('listInvitation')
      await mailed.founder.browser.call('revokeInvitation', { invitationId: data[0]?.id ?? '' })
    }
    expect(await joinedAfter(mailed, revoke)).toEqual({
      organizationId: organizationId(mailed),
      state: 'revoked',
    })
  })

  it('tells of an invitation that has expired meanwhile, and nothing where there was nothing to join', async () => {
    const mailed = await invitedByMail('guest')
    const expire = () =>
      office.database.pool.query('update invitations set expires_at = created_at where email = $1', [
        mailed.email,
      ])
    expect(await joinedAfter(mailed, expire)).toEqual({
      organizationId: mailed.organizationId,
      state: 'expired',
    })
    const [email, browser] = [freshEmail(), office.browser()]
    await browser.call('signUp', { email })
    const answer = await browser.call('finalizeMagicAuth', { email, code: await codeFor(office, email) })
    expect(answer).toEqual({ user: expect.anything() })
  })

  it('does nothing to a person who then signs in by a code of their own', async () => {
    const victim = await newPerson(office)
    const { token } = await invited()
    await office.browser().call('memberSignUp', { email: victim.email, inviteToken: token })
    await signInAgain(office, victim.email)
    expect(await memberships(victim.email)).toEqual([])
  })

  it('does not change the role of a person who is a member already', async () => {
    const { founder, token } = await invited()
    const browser = office.browser()
    await browser.call('memberSignUp', { email: founder.email, inviteToken: token })
    await browser.call('finalizeMagicAuth', {
      email: founder.email,
      code: await codeFor(office, founder.email),
    })
    expect(await memberships(founder.email)).toEqual([{ role: 'admin', status: 'active' }])
  })

  it('refuses bodies without either field', async () => {
    const send = (body: object) =>
      fetch(`${office.baseUrl}/auth/member-sign-up`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    expect((await send({ email: freshEmail() })).status).toBe(400)
    expect((await send({ inviteToken: 'x' })).status).toBe(400)
    expect((await send({ email: 'no address', inviteToken: 'x' })).status).toBe(400)
  })
})
