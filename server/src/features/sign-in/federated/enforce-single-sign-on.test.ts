import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  arriveAt,
  connectToIssuer,
  disconnect,
  enforceNow,
  giveDomain,
  openOfficeWithIssuer,
} from '../../../../tests/chapters/single-sign-on.ts'
import { signInFederated } from '../../../../tests/chapters/surfer.ts'
import { freshEmail, type TestOffice } from '../../../../tests/office.ts'
import { newFounder, newPerson, type Person } from '../../../../tests/people.ts'
import { recordedLog } from '../../../../tests/recorded-log.ts'
import type { HostileIssuer } from '../../../../tests/vendors/hostile-issuer.ts'
import { removeDomain } from '../../../directory/domains/domains.ts'
import { findOrganization, type OrganizationRef } from '../../../directory/organizations.ts'
import { trusted } from '../../../platform/ids.ts'
import { enforceOrLater, enforceSingleSignOn } from './enforce-single-sign-on.ts'

describe('enforcing single sign-on', () => {
  let office: TestOffice
  let issuer: HostileIssuer
  beforeAll(async () => {
    ;({ office, issuer } = await openOfficeWithIssuer())
  })
  afterAll(() => office.close())

  const freshDomain = () => `${freshEmail('d').split('@')[0]}.example`
  const enforce = () => enforceNow(office)
  const isSignedIn = async ({ browser }: Pick<Person, 'browser'>) =>
    (await browser.request('getCurrentUser')).status === 200

  async function customer(domain: string, state: 'proven' | 'believed' = 'proven') {
    const organization = await owner(domain, state)
    await connectToIssuer(office, organization.organizationId, issuer.issuer)
    return organization
  }
  /** Without single sign-on: nothing is enforced there in the background. */
  async function owner(domain: string, state: 'proven' | 'believed' = 'proven') {
    const { organizationId } = await newFounder(office, 'Customer')
    await giveDomain(office, organizationId, domain, state)
    return { organizationId }
  }
  const organizationOf = async ({ organizationId }: { organizationId: string }) =>
    (await findOrganization(
      office.database.db,
      trusted.identityOrganizationId(organizationId),
    )) as OrganizationRef

  it('ends the sessions that came in by a code or by a social provider, and no others', async () => {
    const domain = freshDomain()
    const byCode = await newPerson(office, `ada@${domain}`)
    const social = await signInFederated(office, 'continueWithProviderA', `ben@${domain}`)
    const stranger = await newPerson(office, `ada@not${domain}`)
    const { organizationId } = await newFounder(office)
    await giveDomain(office, organizationId, domain)
    await enforce()
    expect(await isSignedIn(byCode)).toBe(true)
    await connectToIssuer(office, organizationId, issuer.issuer)
    await enforce()
    expect(await isSignedIn(byCode)).toBe(false)
    expect((await social.surfer.client.request('getCurrentUser')).status).toBe(401)
    expect(await isSignedIn(stranger)).toBe(true)
    expect(await isSignedIn(await arriveAt(office, issuer, byCode.email))).toBe(true)
  })

  it('is left to the job where anything goes wrong after a change that holds already', async () => {
    const domain = freshDomain()
    await customer(domain)
    const { log, lines } = recordedLog()
    const identity = { hasSingleSignOn: () => Promise.reject(new Error('away for a moment')) }
    const needs = {
      db: office.database.db,
      clock: office.clock,
      log,
      callers: { forget: () => {} },
      identity,
    }
    await enforceOrLater(needs, { domain })
    expect(lines).toMatchObject([{ msg: 'sessions that single sign-on does not allow end later' }])
  })

  it('leaves the developer and those who came in by single sign-on where they are', async () => {
    const domain = freshDomain()
    await customer(domain)
    const ada = await arriveAt(office, issuer, `ada@${domain}`)
    const developer = office.browser()
    await developer.call('devSignIn')
    const { id } = await ada.browser.call('createOrganization', { name: 'Mine' })
    await ada.browser.call('switchOrganization', { email: ada.email, organizationId: id })
    await enforce()
    expect((await ada.browser.call('getCurrentUser')).currentOrganizationId).toBe(id)
    expect(await isSignedIn({ browser: developer })).toBe(true)
  })

  it.each(['connection', 'domain'] as const)(
    'ends what single sign-on made when its %s is taken away',
    async (what) => {
      const domain = freshDomain()
      const owner = await customer(domain)
      const ada = await arriveAt(office, issuer, `ada@${domain}`)
      const { id } = await organizationOf(owner)
      if (what === 'connection') await disconnect(office, owner.organizationId)
      else await removeDomain(office.database.db, id, domain)
      await enforce()
      expect(await isSignedIn(ada)).toBe(false)
      expect((await office.browser().call('signIn', { email: ada.email })).authData.authMethod).toBe(
        'magic_auth',
      )
    },
  )

  it('ends no session while it is not known who has single sign-on', async () => {
    const domain = freshDomain()
    const person = await newPerson(office, `ada@${domain}`)
    await owner(domain)
    const identity = { hasSingleSignOn: () => Promise.reject(new Error('away')) }
    await expect(enforceSingleSignOn({ ...office.office.needs, identity }, { domain })).rejects.toThrow(
      'away',
    )
    expect(await isSignedIn(person)).toBe(true)
  })

  it('asks about the domains of one organization, and leaves others alone', async () => {
    const [domain, other] = [freshDomain(), freshDomain()]
    const person = await newPerson(office, `ada@${domain}`)
    const stranger = await newPerson(office, `ada@${other}`)
    const { id } = await organizationOf(await owner(domain))
    await owner(other)
    const identity = { hasSingleSignOn: () => Promise.resolve(true) }
    expect(await enforceSingleSignOn({ ...office.office.needs, identity }, { organization: id })).toBe(1)
    expect([await isSignedIn(person), await isSignedIn(stranger)]).toEqual([false, true])
  })
})
