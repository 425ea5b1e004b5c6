import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  arriveAt,
  connectToIssuer,
  giveDomain,
  openOfficeWithIssuer,
} from '../../../../tests/chapters/single-sign-on.ts'
import { freshEmail, type TestOffice } from '../../../../tests/office.ts'
import {
  auditOf,
  invitationTokenFor,
  linkTokenOf,
  newFounder,
  newPerson,
  type Person,
} from '../../../../tests/people.ts'
import type { HostileIssuer } from '../../../../tests/vendors/hostile-issuer.ts'

/** How far a session reaches that the single sign-on of an organization has made. */
describe('a session made by single sign-on', () => {
  let office: TestOffice
  let issuer: HostileIssuer
  beforeAll(async () => {
    ;({ office, issuer } = await openOfficeWithIssuer())
  })
  afterAll(() => office.close())

  const freshDomain = () => `${freshEmail('d').split('@')[0]}.example`

  async function customer(domain = freshDomain(), state: 'proven' | 'believed' = 'proven') {
    const founder = await newFounder(office, 'Customer')
    const { organizationId } = founder
    await giveDomain(office, organizationId, domain, state)
    await connectToIssuer(office, organizationId, issuer.issuer)
    return { founder, organizationId, domain }
  }
  const arrive = (email: string) => arriveAt(office, issuer, email)
  const currentOf = async ({ browser }: Pick<Person, 'browser'>) =>
    (await browser.call('getCurrentUser')).currentOrganizationId
  const enter = ({ browser, email }: Pick<Person, 'browser' | 'email'>, organizationId: string) =>
    browser.request('switchOrganization', { email, organizationId })

  it('is told of what waits for its person, and accepts it', async () => {
    const { domain } = await customer()
    const [host, email] = [await newFounder(office), `ada@${domain}`]
    await host.browser.call('sendInvitation', { email })
    const { browser, waiting } = await arrive(email)
    expect(waiting).toEqual([host.organizationId])
    const { organizationMemberships } = await browser.call('getCurrentUser')
    expect(organizationMemberships.map(({ status }) => status)).toEqual(['active', 'pending'])
    const answer = await browser.request('joinOrganization', { organizationId: host.organizationId })
    expect(answer).toMatchObject({ status: 200 })
  })

  it('founds an organization, enters it, works there and comes back', async () => {
    const { organizationId, domain } = await customer()
    const ada = await arrive(`ada@${domain}`)
    const { id } = await ada.browser.call('createOrganization', { name: 'Mine' })
    const renamed = await ada.browser.request('updateOrganization', {
      organizationId: id,
      name: 'Still mine',
    })
    expect(renamed.status).toBe(200)
    expect((await enter(ada, id)).status).toBe(200)
    expect(await currentOf(ada)).toBe(id)
    expect((await enter(ada, organizationId)).status).toBe(200)
    expect(await currentOf(ada)).toBe(organizationId)
  })

  it('joins by a link, accepts an invitation, and enters both', async () => {
    const { domain } = await customer()
    const ada = await arrive(`ada@${domain}`)
    const [byLink, byInvitation] = [await newFounder(office), await newFounder(office)]
    await ada.browser.call('joinOrganization', { inviteToken: await linkTokenOf(byLink) })
    await byInvitation.browser.call('sendInvitation', { email: ada.email, role: 'moderator' })
    await ada.browser.call('acceptInvitation', { token: await invitationTokenFor(office, ada.email) })
    for (const { organizationId } of [byLink, byInvitation]) {
      expect((await enter(ada, organizationId)).status).toBe(200)
      expect(await currentOf(ada)).toBe(organizationId)
    }
  })

  it('stands in the audit trail of the organization entered, with the connection that made it', async () => {
    const { organizationId, domain } = await customer()
    const ada = await arrive(`ada@${domain}`)
    const host = await newFounder(office)
    await ada.browser.call('joinOrganization', { inviteToken: await linkTokenOf(host) })
    await enter(ada, host.organizationId)
    expect((await auditOf(host)).at(-1)).toMatchObject({
      action: 'member.entered',
      actor: { id: ada.id },
      target: { kind: 'user', id: ada.id },
      detail: { signedInBy: organizationId },
    })
  })

  it('gives a founder back what they founded before single sign-on was enforced for their domain', async () => {
    const domain = freshDomain()
    const founder = await newPerson(office, `ada@${domain}`)
    const { id } = await founder.browser.call('createOrganization', { name: 'Founded before' })
    await customer(domain)
    const again = await arrive(founder.email)
    expect(again.id).toBe(founder.id)
    expect((await enter(again, id)).status).toBe(200)
    expect(
      (await again.browser.request('updateOrganization', { organizationId: id, name: 'Kept' })).status,
    ).toBe(200)
  })

  describe('for a domain that is believed and not proven', () => {
    it('reaches its own organization and nothing else: what is refused leaves nothing behind', async () => {
      const domain = freshDomain()
      const founder = await newPerson(office, `ada@${domain}`)
      const { id } = await founder.browser.call('createOrganization', { name: 'Founded before' })
      const { organizationId } = await customer(domain, 'believed')
      const ada = await arrive(founder.email)
      const host = await newFounder(office)
      await host.browser.call('sendInvitation', { email: ada.email })
      const before = (await auditOf(host)).length
      const { browser } = ada
      const refusals = [
        await browser.request('createOrganization', { name: 'Mine' }),
        await browser.request('joinOrganization', { inviteToken: await linkTokenOf(host) }),
        await browser.request('acceptInvitation', { token: await invitationTokenFor(office, ada.email) }),
        await enter(ada, id),
      ]
      for (const refusal of refusals)
        expect(refusal).toMatchObject({ status: 403, body: { error: 'sign-in-method-not-accepted' } })
      // as an organization that there is not: it is no session's to know what waits for whom
      for (const organizationId of [host.organizationId, 'org_01KAJ4Q8ZC7V0X3T5N2M9E6RWB'])
        expect(await browser.request('joinOrganization', { organizationId })).toMatchObject({
          status: 404,
          body: { error: 'organization-not-found' },
        })
      expect((await arrive(founder.email)).waiting).toBeUndefined()
      const update = await browser.request('updateOrganization', { organizationId: id, name: 'Taken' })
      expect(update.status).toBe(404)
      const { organizationMemberships } = await browser.call('getCurrentUser')
      expect(organizationMemberships.map(({ organization }) => organization.id).sort()).toEqual(
        [id, organizationId].sort(),
      )
      expect((await auditOf(host)).slice(before).map(({ action }) => action)).not.toContain(
        'invitation.accepted',
      )
    })

    it('takes the link of its own organization', async () => {
      const { founder, organizationId, domain } = await customer(freshDomain(), 'believed')
      const ada = await arrive(`ada@${domain}`)
      const answer = await ada.browser.request('joinOrganization', {
        inviteToken: await linkTokenOf(founder),
      })
      expect(answer.status).toBe(200)
      expect(await currentOf(ada)).toBe(organizationId)
    })

    it('does not rename the person where others see it', async () => {
      const domain = freshDomain()
      const founder = await newFounder(office)
      const elsewhere = await newPerson(office, `ada@${domain}`)
      await elsewhere.browser.call('joinOrganization', { inviteToken: await linkTokenOf(founder) })
      await elsewhere.browser.call('updateProfile', { displayName: 'Ada Lovelace' })
      await customer(domain, 'believed')
      const ada = await arrive(elsewhere.email)
      expect(await ada.browser.request('updateProfile', { displayName: 'Somebody else' })).toMatchObject({
        status: 403,
        body: { error: 'sign-in-method-not-accepted' },
      })
      expect((await ada.browser.call('getCurrentUser')).displayName).toBe('Ada Lovelace')
      const only = await arrive(`ben@${domain}`)
      expect((await only.browser.request('updateProfile', { displayName: 'Ben' })).status).toBe(200)
    })
  })

  it('keeps the names that the person has: an issuer says nothing about them', async () => {
    const domain = freshDomain()
    const person = await newPerson(office, `ada@${domain}`)
    await person.browser.call('updateProfile', { displayName: 'Ada Lovelace' })
    await customer(domain)
    for (const name of ['Grace', 'Mallory']) {
      const ada = await arriveAt(office, issuer, person.email, {
        given_name: name,
        family_name: 'Hopper',
        name,
      })
      expect(await ada.browser.call('getCurrentUser')).toMatchObject({
        id: person.id,
        displayName: 'Ada Lovelace',
        firstName: '',
        lastName: '',
      })
    }
  })
})
