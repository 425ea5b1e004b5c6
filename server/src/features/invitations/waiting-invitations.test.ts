import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { surferOf } from '../../../tests/chapters/surfer.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import {
  auditOf,
  freshCodeFor,
  invitationTokenFor,
  newFounder,
  newMember,
  newPerson,
  type Person,
  signedUp,
  signInAgain,
} from '../../../tests/people.ts'

const NOT_THERE = { status: 404, body: { error: 'organization-not-found' } }

describe('an invitation that waits for a person who signs in otherwise', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  const membershipsOf = async ({ browser }: Pick<Person, 'browser'>) =>
    (await browser.call('getCurrentUser')).organizationMemberships
  const invite = async ({ browser }: Person, email: string, role: 'member' | 'moderator' = 'moderator') =>
    await browser.call('sendInvitation', { email, role })
  /** What an organization that is not there answers, but for the id of the request. */
  async function answerTo(person: Pick<Person, 'browser'>, organizationId: string) {
    const { status, body } = await person.browser.request('joinOrganization', { organizationId })
    const { requestId: _requestId, ...said } = body as { requestId?: string }
    return { status, said }
  }

  const tokenOf = async (founder: Person) =>
    (await founder.browser.call('listInvitation', {})).data[0]?.token as string
  async function finalized(email: string) {
    const browser = office.browser()
    const code = await freshCodeFor(office, email, () => browser.call('signIn', { email }))
    return await browser.call('finalizeMagicAuth', { email, code })
  }

  it('is shown as a pending membership, and joins when it is accepted', async () => {
    const founder = await newFounder(office, 'Acme')
    const person = await newPerson(office)
    await invite(founder, person.email)
    const { browser, user } = await signInAgain(office, person.email)
    expect(user).toMatchObject({ id: person.id })
    expect(await membershipsOf({ browser })).toEqual([
      {
        organization: { id: founder.organizationId, name: 'Acme', logoUrl: null },
        role: 'moderator',
        status: 'pending',
        permissions: [],
      },
    ])
    expect((await browser.call('getCurrentUser')).currentOrganizationId).toBe('')
    expect(await browser.call('joinOrganization', { organizationId: founder.organizationId })).toEqual({
      organizationId: founder.organizationId,
      organizationName: 'Acme',
      userRole: 'moderator',
    })
    expect(await browser.call('getCurrentUser')).toMatchObject({
      currentOrganizationId: founder.organizationId,
      organizationMemberships: [{ status: 'active', role: 'moderator' }],
    })
    expect((await auditOf(founder)).at(-1)).toMatchObject({
      action: 'invitation.accepted',
      actor: { id: person.id },
    })
  })

  it.each<[string, (founder: Person, inviter: Person) => Promise<unknown>]>([
    [
      'has a lower role by now',
      (founder, { id }) => founder.browser.call('updateMember', { id, role: 'member' }),
    ],
    ['has left', (_founder, { id, browser }) => browser.call('removeMember', { id })],
  ])('is shown everywhere with the role that it gives, where its inviter %s', async (_case, happens) => {
    const founder = await newFounder(office)
    const inviter = await newMember(office, founder, 'admin')
    const person = await newPerson(office)
    await invite(inviter, person.email)
    const token = await tokenOf(founder)
    const { organizationId } = founder
    const shown = async () => ({
      beforehand: (await office.browser().call('showInvitation', { token })).role,
      toThem: (await membershipsOf(person))[0]?.role,
      inTheList: (await founder.browser.call('listInvitation', {})).data[0]?.role,
    })
    expect(await shown()).toEqual({
      beforehand: 'moderator',
      toThem: 'moderator',
      inTheList: 'moderator',
    })
    await happens(founder, inviter)
    expect(await shown()).toEqual({ beforehand: 'member', toThem: 'member', inTheList: 'member' })
    expect(await person.browser.call('joinOrganization', { organizationId })).toMatchObject({
      userRole: 'member',
    })
  })

  it('is named beside the person in the replies of finalizers, of several organizations too', async () => {
    const [founder, other] = [await newFounder(office), await newFounder(office)]
    const person = await newPerson(office)
    await newMember(office, other, 'member', person)
    const nothing = await finalized(person.email)
    expect(nothing.user.id).toBe(person.id)
    expect(nothing).not.toHaveProperty('waiting')
    await invite(founder, person.email)
    const { user, waiting } = await finalized(person.email)
    expect(waiting).toEqual([founder.organizationId])
    expect(user).not.toHaveProperty('pendingAuthenticationToken')

    const third = await newFounder(office)
    await newMember(office, third, 'member', person)
    const several = await finalized(person.email)
    expect(several).toMatchObject({
      user: { organizations: [{ id: other.organizationId }, { id: third.organizationId }] },
      waiting: [founder.organizationId],
    })
    const surfer = surferOf(office)
    const { authData } = await surfer.client.call('continueWithProviderA')
    const end = await surfer.logIn(authData.redirectURL, person.email)
    expect(
      await surfer.client.call('finalizeOauth', { code: end.searchParams.get('code') ?? '' }),
    ).toMatchObject({ waiting: [founder.organizationId] })
  })

  it('comes after memberships, oldest first, and is in no other list', async () => {
    const [late, early, own] = [await newFounder(office), await newFounder(office), await newFounder(office)]
    const person = await newPerson(office)
    await invite(early, person.email)
    await newMember(office, own, 'member', person)
    await invite(late, person.email, 'member')
    expect(
      (await membershipsOf(person)).map(({ organization, status }) => [organization.id, status]),
    ).toEqual([
      [own.organizationId, 'active'],
      [early.organizationId, 'pending'],
      [late.organizationId, 'pending'],
    ])
    const organizations = await person.browser.call('listOrganizations')
    expect(organizations.map(({ organizationId }) => organizationId)).toEqual([own.organizationId])
    expect((await early.browser.call('listMembers')).page.total).toBe(1)
    const { email } = person
    expect(
      await person.browser.request('switchOrganization', { email, organizationId: early.organizationId }),
    ).toMatchObject({ status: 404 })
    expect(
      await person.browser.request('listInvitation', { organizationId: early.organizationId }),
    ).toMatchObject({ status: 404 })
  })

  it('that is over, of another address, or of an organization that is gone, is as one that there is not', async () => {
    const [revoked, foreign, gone] = [
      await newFounder(office),
      await newFounder(office),
      await newFounder(office),
    ]
    const [accepted, expired] = [await newFounder(office), await newFounder(office)]
    const person = await newPerson(office)
    const unknown = await answerTo(person, 'org_01KAJ4Q8ZC7V0X3T5N2M9E6RWB')
    expect(unknown).toMatchObject({ status: 404, said: { error: 'organization-not-found' } })
    for (const founder of [revoked, gone, accepted, expired]) await invite(founder, person.email)
    await invite(foreign, (await newPerson(office)).email)
    const { data } = await revoked.browser.call('listInvitation', {})
    await revoked.browser.call('revokeInvitation', { invitationId: data[0]?.id as string })
    await gone.browser.call('deleteOrganization', { organizationId: gone.organizationId })
    await person.browser.call('acceptInvitation', { token: await tokenOf(accepted) })
    await office.database.pool.query(
      `update invitations set expires_at = now() - interval '1 second' where email = $1
        and organization_id = (select id from organizations where identity_organization_id = $2)`,
      [person.email, expired.organizationId],
    )
    for (const founder of [revoked, foreign, gone, accepted, expired])
      expect(await answerTo(person, founder.organizationId)).toEqual(unknown)
    expect((await membershipsOf(person)).map(({ status }) => status)).toEqual(['active'])
  })

  it('waits for no person without a proven address', async () => {
    const founder = await newFounder(office)
    const person = await newPerson(office)
    await invite(founder, person.email)
    await office.database.pool.query('update users set email_verified_at = null where id = $1', [person.id])
    expect(await membershipsOf(person)).toEqual([])
    expect(
      await person.browser.request('joinOrganization', { organizationId: founder.organizationId }),
    ).toMatchObject(NOT_THERE)
  })

  it('is accepted once of many at once', async () => {
    const founder = await newFounder(office)
    const person = await newPerson(office)
    await invite(founder, person.email)
    const { organizationId } = founder
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => person.browser.request('joinOrganization', { organizationId })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(404)])
    const accepted = (await auditOf(founder)).filter(({ action }) => action === 'invitation.accepted')
    expect(accepted).toHaveLength(1)
  })

  it('wants one way, and not both', async () => {
    const person = await signedUp(office)
    for (const input of [{}, { inviteToken: 'x', organizationId: 'org_x' }])
      expect(await person.browser.request('joinOrganization', input)).toMatchObject({
        status: 400,
        body: { error: 'invalid-input', message: 'Give either inviteToken, or organizationId' },
      })
    const founder = await newFounder(office)
    await invite(founder, person.email)
    // the token of the mail works as ever
    const inviteToken = await invitationTokenFor(office, person.email)
    expect(await person.browser.request('joinOrganization', { inviteToken })).toMatchObject({ status: 200 })
  })
})
