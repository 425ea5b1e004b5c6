import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signInBySingleSignOn, signInFederated, surferOf } from '../../../../tests/chapters/surfer.ts'
import { hold, untilBlocked } from '../../../../tests/held-locks.ts'
import { freshEmail, openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { mailsTo, newFounder, newPerson } from '../../../../tests/people.ts'
import { developmentOrganization } from '../dev-sign-in.ts'

const DEVELOPMENT = developmentOrganization.identityId
const freshColleague = () => freshEmail().replace('people.example', 'sso.example')

describe('finalizeOauth', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice({ atBaseUrl: true })
  })
  afterAll(() => office.close())

  describe.each(['continueWithProviderA', 'continueWithProviderB'] as const)('after %s', (way) => {
    it('makes the account of a new person, and signs them in', async () => {
      const email = freshEmail()
      const { surfer, authData, end, answer } = await signInFederated(office, way, email)
      expect(end.href).toMatch(new RegExp(`^${office.office.config.baseUrl}/auth/complete\\?`))
      expect(end.searchParams.get('state')).toBe(authData.state)
      expect(answer.status).toBe(200)
      expect(answer.body).toEqual({
        user: { id: expect.stringMatching(/^\d+$/), email, firstName: '', lastName: '', avatarURL: '' },
      })
      expect((await surfer.client.call('getCurrentUser')).email).toBe(email)
    })

    it('knows them again, and knows the account they had', async () => {
      const person = await newFounder(office)
      const first = await signInFederated(office, way, person.email)
      expect(first.answer.body).toMatchObject({ user: { id: person.id } })
      const { currentOrganizationId } = await first.surfer.client.call('getCurrentUser')
      expect(currentOrganizationId).toBe(person.organizationId)
      const second = await signInFederated(office, way, person.email)
      expect(second.answer.body).toMatchObject({ user: { id: person.id } })
    })
  })

  it('enters the organization of last time, else the oldest', async () => {
    const person = await newFounder(office, 'First')
    const { id: second } = await person.browser.call('createOrganization', { name: 'Second' })
    const current = async () => {
      const { surfer } = await signInFederated(office, 'continueWithProviderA', person.email)
      return (await surfer.client.call('getCurrentUser')).currentOrganizationId
    }
    expect(await current()).toBe(person.organizationId)
    await person.browser.call('switchOrganization', { email: person.email, organizationId: second })
    expect(await current()).toBe(second)
    await office.database.pool.query(
      `update memberships set status = 'inactive' from organizations o
       where o.id = organization_id and o.identity_organization_id = $1`,
      [second],
    )
    expect(await current()).toBe(person.organizationId)
  })

  it('is no person with another address meanwhile', async () => {
    const person = await newPerson(office)
    const change = await hold(office, 'update users set email = $2 where id = $1', [person.id, freshEmail()])
    const begun = signInFederated(office, 'continueWithProviderA', person.email)
    await untilBlocked(office, 1)
    await change.commit()
    const { answer } = await begun
    expect(answer).toMatchObject({ status: 200, body: { user: { email: person.email } } })
    expect(answer.body).not.toMatchObject({ user: { id: person.id } })
    const { rows } = await office.database.pool.query('select 1 from linked_identities where user_id = $1', [
      person.id,
    ])
    expect(rows).toEqual([])
  })

  it('takes the person of a sign-up that was begun meanwhile, and nothing that waited there', async () => {
    const email = freshEmail()
    const { identity } = office.office.needs
    const before = identity.createUser
    identity.createUser = async (user) => {
      identity.createUser = before
      await office.browser().call('signUp', { email })
      return await before(user)
    }
    const { answer } = await signInFederated(office, 'continueWithProviderA', email)
    identity.createUser = before
    expect(answer).toMatchObject({ status: 200, body: { user: { email } } })
    const { rows } = await office.database.pool.query(
      `select email_verified_at is not null as proven, (select count(*)::int from code_requests where email = $1) as asked
        from users where email = $1`,
      [email],
    )
    expect(rows).toEqual([{ proven: true, asked: 0 }])
  })

  it('takes the person of a sign-up that was never finished, and nothing that waited there', async () => {
    const email = freshEmail()
    await office.browser().call('signUp', { email })
    const { answer } = await signInFederated(office, 'continueWithProviderA', email)
    expect(answer.status).toBe(200)
    const { rows } = await office.database.pool.query(
      'select email_verified_at from users where email = $1',
      [email],
    )
    expect(rows[0].email_verified_at).toBeInstanceOf(Date)
  })

  describe('single sign-on', () => {
    it('enters its own organization, as a member', async () => {
      const email = freshColleague()
      const { surfer, answer } = await signInBySingleSignOn(office, email)
      expect(answer).toMatchObject({ status: 200, body: { user: { email } } })
      const user = await surfer.client.call('getCurrentUser')
      expect(user.currentOrganizationId).toBe(DEVELOPMENT)
      expect(user.organizationMemberships).toMatchObject([{ role: 'member', status: 'active' }])
    })

    it('makes a new person what an invitation that waits for them says, which is accepted by that', async () => {
      const email = freshColleague()
      const developer = office.browser()
      await developer.call('devSignIn')
      await developer.call('sendInvitation', { email, role: 'moderator' })
      const { surfer, answer } = await signInBySingleSignOn(office, email)
      expect(answer.body).toMatchObject({ joined: { organizationId: DEVELOPMENT, state: 'joined' } })
      const user = await surfer.client.call('getCurrentUser')
      expect(user.organizationMemberships).toMatchObject([{ role: 'moderator', status: 'active' }])
      const { data } = await developer.call('listInvitation', { email })
      expect(data).toMatchObject([{ state: 'accepted', role: 'moderator' }])
    })

    it('enters its own organization first, whichever was entered last', async () => {
      const email = freshColleague()
      const { surfer } = await signInBySingleSignOn(office, email)
      const { id: other } = await surfer.client.call('createOrganization', { name: 'Elsewhere' })
      await surfer.client.call('switchOrganization', { email, organizationId: other })
      expect((await surfer.client.call('getCurrentUser')).currentOrganizationId).toBe(other)
      const again = await signInBySingleSignOn(office, email)
      expect((await again.surfer.client.call('getCurrentUser')).currentOrganizationId).toBe(DEVELOPMENT)
    })

    it('refuses an address outside the domains of its organization', async () => {
      const surfer = surferOf(office)
      const { authData } = await surfer.client.call('signIn', { email: freshColleague() })
      const stranger = await newPerson(office)
      const end = await surfer.logIn((authData as { redirectURL: string }).redirectURL, stranger.email)
      const code = end.searchParams.get('code') ?? ''
      expect(await surfer.client.request('finalizeOauth', { code })).toMatchObject({
        status: 400,
        body: { error: 'foreign-domain' },
      })
      expect((await surfer.client.request('getCurrentUser')).status).toBe(401)
    })

    it('is the only way in for its domain: no social sign-in, no code, no sign-up', async () => {
      const email = freshColleague()
      const social = await signInFederated(office, 'continueWithProviderA', email)
      expect(social.answer).toMatchObject({ status: 400, body: { error: 'single-sign-on-required' } })
      expect((await office.browser().request('signUp', { email })).status).toBe(201)
      const mails = await mailsTo(office, email)
      expect(mails.map((mail) => mail.code)).toEqual([undefined])
      const code = await office.browser().request('finalizeMagicAuth', { email, code: '000000' })
      expect(code).toMatchObject({ status: 400, body: { error: 'single-sign-on-required' } })
    })

    it('does not revive a membership that was put on hold', async () => {
      const email = freshColleague()
      const { answer } = await signInBySingleSignOn(office, email)
      await office.database.pool.query(`update memberships set status = 'inactive' where user_id = $1`, [
        (answer.body as { user: { id: string } }).user.id,
      ])
      expect((await signInBySingleSignOn(office, email)).answer).toMatchObject({ status: 403 })
    })
  })

  describe('the code', () => {
    async function codeOf(email = freshEmail()) {
      const surfer = surferOf(office)
      const { authData } = await surfer.client.call('continueWithProviderA')
      const end = await surfer.logIn(authData.redirectURL, email)
      return { surfer, code: end.searchParams.get('code') ?? '' }
    }

    it('works once: of 20 at the same time one wins', async () => {
      const { surfer, code } = await codeOf()
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => surfer.client.request('finalizeOauth', { code })),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(400)])
    })

    it('is worth nothing in another browser, and still works in its own', async () => {
      const { surfer, code } = await codeOf()
      const thief = surferOf(office)
      expect((await thief.client.request('finalizeOauth', { code })).status).toBe(400)
      await thief.client.call('continueWithProviderA')
      expect((await thief.client.request('finalizeOauth', { code })).status).toBe(400)
      expect((await surfer.client.request('finalizeOauth', { code })).status).toBe(200)
    })

    it('lives for one minute', async () => {
      const { surfer, code } = await codeOf()
      office.clock.advance(61)
      expect(await surfer.client.request('finalizeOauth', { code })).toMatchObject({
        status: 400,
        body: { code: 400, error: 'invalid-code' },
      })
    })

    it('is nothing that could be made up', async () => {
      const surfer = surferOf(office)
      await surfer.client.call('continueWithProviderA')
      for (const code of ['x', 'code_nothing', '../../x', '😀']) {
        expect((await surfer.client.request('finalizeOauth', { code })).status).toBe(400)
      }
    })
  })
})
