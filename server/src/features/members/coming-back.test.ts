import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signInBySingleSignOn } from '../../../tests/chapters/surfer.ts'
import { freshEmail, openTestOffice, type TestOffice } from '../../../tests/office.ts'
import {
  auditOf,
  codeFor,
  invitationTokenFor,
  linkTokenOf,
  mailsTo,
  newFounder,
  newMember,
  newPerson,
} from '../../../tests/people.ts'
import { type RecordedLog, recordedLog } from '../../../tests/recorded-log.ts'

type Browser = ReturnType<TestOffice['browser']>

/** Of `dev-sign-in`: it has single sign-on. */
const DEVELOPMENT = 'org_0000000000000000DEVELOPMENT'
const freshColleague = () => freshEmail().replace('people.example', 'sso.example')

/** Who was in an organization, and wants to be in it again. */
describe('coming back', () => {
  let office: TestOffice
  /** The admin of the organization that has single sign-on. */
  let developer: Browser
  let recorded: RecordedLog
  beforeAll(async () => {
    recorded = recordedLog()
    office = await openTestOffice({ atBaseUrl: true, log: recorded.log })
    developer = office.browser()
    await developer.call('devSignIn')
  })
  afterAll(() => office.close())

  async function rolesOf(browser: Browser) {
    return (await browser.call('listOrganizations')).map(({ userRole }) => userRole)
  }

  const refusedJoins = (id: string) =>
    recorded.lines.filter(({ security, user }) => security === 'join-refused' && user === id)

  describe('by the link', () => {
    it('is refused to a member who was removed, though the link is the one it was', async () => {
      const founder = await newFounder(office)
      const inviteToken = await linkTokenOf(founder)
      const member = await newPerson(office)
      await member.browser.call('joinOrganization', { inviteToken })
      await founder.browser.call('removeMember', { id: member.id })
      const before = await auditOf(founder)
      expect(await member.browser.request('joinOrganization', { inviteToken })).toMatchObject({
        status: 403,
        body: { code: 403, error: 'removed' },
      })
      await founder.browser.call('resetInviteLink')
      const fresh = await linkTokenOf(founder)
      expect(await member.browser.request('joinOrganization', { inviteToken: fresh })).toMatchObject({
        status: 403,
        body: { error: 'removed' },
      })
      expect(await rolesOf(member.browser)).toEqual([])
      // the second try within the hour stands in the log alone: tries do not fill the trail
      expect((await auditOf(founder)).slice(before.length)).toMatchObject([
        {
          action: 'member.join-refused',
          actor: { kind: 'user', id: member.id },
          target: { kind: 'user', id: member.id },
          detail: { way: 'link', reason: 'removed' },
        },
        { action: 'invite-link.reset' },
      ])
      expect(refusedJoins(member.id)).toMatchObject(
        Array(2).fill({ operation: 'joinOrganization', reason: 'removed', network: '127.0.0.1' }),
      )
      office.clock.advance(3_601)
      await member.browser.request('joinOrganization', { inviteToken: fresh })
      expect((await auditOf(founder)).at(-1)).toMatchObject({ action: 'member.join-refused' })
    })

    it('signs up none who was removed: they are signed in, and in nothing', async () => {
      const founder = await newFounder(office)
      const member = await newMember(office, founder, 'member')
      await founder.browser.call('removeMember', { id: member.id })
      const browser = office.browser()
      await browser.call('memberSignUp', { email: member.email, inviteToken: await linkTokenOf(founder) })
      const code = await codeFor(office, member.email)
      await browser.call('resendMagicAuth', { email: member.email })
      for (const { text, html } of (await mailsTo(office, member.email)).slice(0, 2)) {
        expect(text).toMatch(/code/i)
        expect(text + html).not.toMatch(/makes you a member/)
      }
      const fresh = await codeFor(office, member.email)
      expect(fresh).not.toBe(code)
      await browser.call('finalizeMagicAuth', { email: member.email, code: fresh })
      expect(await rolesOf(browser)).toEqual([])
      expect((await auditOf(founder)).at(-1)).toMatchObject({
        action: 'member.join-refused',
        actor: { id: member.id },
        detail: { way: 'link', reason: 'removed' },
      })
      expect(refusedJoins(member.id)).toMatchObject([
        { way: 'sign-up', reason: 'removed', organization: founder.organizationId, network: '127.0.0.1' },
      ])
    })

    it.each([
      ['guest', 'guest'],
      ['member', 'member'],
      ['moderator', 'member'],
      ['admin', 'member'],
    ] as const)('makes a %s who left a %s', async (had, role) => {
      const founder = await newFounder(office)
      const member = await newMember(office, founder, had)
      const inviteToken = await linkTokenOf(founder)
      await member.browser.call('removeMember', { id: member.id })
      expect(await member.browser.call('joinOrganization', { inviteToken })).toMatchObject({ userRole: role })
      expect((await auditOf(founder)).at(-1)).toMatchObject({ action: 'member.joined', detail: { role } })
    })

    it('of twenty at once with the removal, none who is removed is in', async () => {
      const founder = await newFounder(office)
      const inviteToken = await linkTokenOf(founder)
      const member = await newPerson(office)
      await member.browser.call('joinOrganization', { inviteToken })
      const join = () => member.browser.request('joinOrganization', { inviteToken })
      await Promise.all([
        ...Array.from({ length: 10 }, join),
        founder.browser.call('removeMember', { id: member.id }),
        ...Array.from({ length: 10 }, join),
      ])
      expect(await rolesOf(member.browser)).toEqual([])
    })
  })

  describe('by a new invitation', () => {
    it('works for a person who was removed, with its role; and from then on they are like any other', async () => {
      const founder = await newFounder(office)
      const member = await newMember(office, founder, 'guest')
      await founder.browser.call('removeMember', { id: member.id })
      await founder.browser.call('sendInvitation', { email: member.email, role: 'moderator' })
      const token = await invitationTokenFor(office, member.email)
      expect(await member.browser.call('acceptInvitation', { token })).toMatchObject({ role: 'moderator' })
      const inviteToken = await linkTokenOf(founder)
      expect(await member.browser.call('joinOrganization', { inviteToken })).toMatchObject({
        userRole: 'moderator',
      })
      await member.browser.call('removeMember', { id: member.id })
      expect(await member.browser.call('joinOrganization', { inviteToken })).toMatchObject({
        userRole: 'member',
      })
    })

    it('that waits, the link works again', async () => {
      const founder = await newFounder(office)
      const member = await newMember(office, founder, 'member')
      await founder.browser.call('removeMember', { id: member.id })
      await founder.browser.call('sendInvitation', { email: member.email, role: 'guest' })
      const inviteToken = await linkTokenOf(founder)
      expect(await member.browser.call('joinOrganization', { inviteToken })).toMatchObject({
        userRole: 'guest',
      })
    })
  })

  describe('by single sign-on', () => {
    async function colleague(email = freshColleague()) {
      const { answer, surfer } = await signInBySingleSignOn(office, email)
      return { email, id: (answer.body as { user: { id: string } }).user.id, browser: surfer.client }
    }

    it('signs in a person who was removed, without that organization', async () => {
      const { email, id } = await colleague()
      await developer.call('removeMember', { id })
      const { surfer, answer } = await signInBySingleSignOn(office, email)
      const joined = { organizationId: DEVELOPMENT, state: 'removed' }
      expect(answer).toMatchObject({ status: 200, body: { user: { id }, joined } })
      const user = await surfer.client.call('getCurrentUser')
      expect(user).toMatchObject({ currentOrganizationId: '', organizationMemberships: [] })
      expect(await surfer.client.request('listMembers')).toMatchObject({ status: 403 })
      expect((await auditOf({ browser: developer })).at(-1)).toMatchObject({
        action: 'member.join-refused',
        target: { kind: 'user', id },
        detail: { way: 'single-sign-on', reason: 'removed' },
      })
      expect(refusedJoins(id)).toMatchObject([
        { way: 'single-sign-on', reason: 'removed', organization: DEVELOPMENT, network: '127.0.0.1' },
      ])
    })

    it('gives a member who left at most the role they had', async () => {
      const email = freshColleague()
      await developer.call('sendInvitation', { email, role: 'guest' })
      const { id, browser } = await colleague(email)
      await browser.call('removeMember', { id })
      const { surfer } = await signInBySingleSignOn(office, email)
      expect(await surfer.client.call('listOrganizations')).toMatchObject([
        { organizationId: DEVELOPMENT, userRole: 'guest' },
      ])
    })

    it('follows a new invitation of a person who was removed', async () => {
      const { email, id } = await colleague()
      await developer.call('removeMember', { id })
      await developer.call('sendInvitation', { email, role: 'moderator' })
      const { surfer, answer } = await signInBySingleSignOn(office, email)
      expect(answer.body).toMatchObject({ joined: { organizationId: DEVELOPMENT, state: 'joined' } })
      expect(await rolesOf(surfer.client)).toEqual(['moderator'])
      const again = await signInBySingleSignOn(office, email)
      expect(again.answer.body).not.toHaveProperty('joined')
    })
  })
})
