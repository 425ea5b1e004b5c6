import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  arriveAt,
  connectToIssuer,
  draftAt,
  newDomainOwner,
  openOfficeWithIssuer,
  tryOut,
} from '../../../../tests/chapters/single-sign-on.ts'
import type { TestOffice } from '../../../../tests/office.ts'
import { auditOf, newFounder, newMember, newPerson } from '../../../../tests/people.ts'
import { type HostileIssuer, openHostileIssuer } from '../../../../tests/vendors/hostile-issuer.ts'
import { removeDomain } from '../../../directory/domains/domains.ts'
import { findOrganization } from '../../../directory/organizations.ts'
import { type OrganizationId, trusted } from '../../../platform/ids.ts'

const DAY_SECONDS = 24 * 60 * 60
const UNTESTED = { status: 409, body: { error: 'single-sign-on-not-tested' } }

describe('activateSingleSignOn', () => {
  let office: TestOffice
  let issuer: HostileIssuer
  beforeAll(async () => {
    ;({ office, issuer } = await openOfficeWithIssuer())
  })
  afterAll(() => office.close())

  async function administrator() {
    const owner = await newDomainOwner(office)
    await owner.browser.call('saveSingleSignOn', draftAt(issuer))
    return owner
  }
  const internalId = async (organizationId: string) =>
    (await findOrganization(office.database.db, trusted.identityOrganizationId(organizationId)))
      ?.id as OrganizationId

  it('demands single sign-on of the domain after a test, and ends what came in otherwise', async () => {
    const admin = await administrator()
    const ben = await newPerson(office, `ben@${admin.domain}`)
    expect(await tryOut(office, issuer, admin, ben.email)).toBe('passed')
    const { draft } = await admin.browser.call('getSingleSignOn')
    const active = await admin.browser.call('activateSingleSignOn')
    expect(active).toMatchObject({
      inForce: { issuer: issuer.issuer, redirectAddress: draft?.redirectAddress },
      draft: null,
    })
    expect((await ben.browser.request('getCurrentUser')).status).toBe(401)
    expect((await admin.browser.request('getCurrentUser')).status).toBe(200)
    const back = await arriveAt(office, issuer, ben.email)
    expect((await back.browser.call('getCurrentUser')).currentOrganizationId).toBe(admin.organizationId)
    expect((await auditOf(admin)).find(({ action }) => action === 'single-sign-on.connected')).toMatchObject({
      actor: { kind: 'user', id: admin.id },
      detail: { issuer: issuer.issuer, clientId: 'us', trustsEmail: 'false' },
    })
  })

  it('is refused without a test, after one that failed, and after a change', async () => {
    const admin = await administrator()
    expect(await admin.browser.request('activateSingleSignOn')).toMatchObject(UNTESTED)
    await tryOut(office, issuer, admin, 'ben@foreign.example')
    expect(await admin.browser.request('activateSingleSignOn')).toMatchObject(UNTESTED)
    expect(await tryOut(office, issuer, admin, `ben@${admin.domain}`)).toBe('passed')
    await admin.browser.call('saveSingleSignOn', { ...draftAt(issuer), clientSecret: 'changed' })
    expect(await admin.browser.request('activateSingleSignOn')).toMatchObject(UNTESTED)
    const { authData } = await office.browser().call('signIn', { email: `ben@${admin.domain}` })
    expect(authData.authMethod).toBe('magic_auth')
  })

  it('is refused a day after the test, and where the domain of the test is not theirs any more', async () => {
    const admin = await administrator()
    expect(await tryOut(office, issuer, admin, `ben@${admin.domain}`)).toBe('passed')
    office.clock.advance(DAY_SECONDS + 1)
    const late = await admin.browser.request('activateSingleSignOn')
    office.clock.advance(-DAY_SECONDS - 1)
    expect(late).toMatchObject(UNTESTED)
    await removeDomain(office.database.db, await internalId(admin.organizationId), admin.domain)
    expect(await admin.browser.request('activateSingleSignOn')).toMatchObject(UNTESTED)
  })

  it('takes the place of what was in force, which worked until then', async () => {
    const admin = await administrator()
    const former = await openHostileIssuer()
    try {
      await connectToIssuer(office, admin.organizationId, former.issuer)
      await arriveAt(office, former, `ada@${admin.domain}`)
      expect(await tryOut(office, issuer, admin, `ben@${admin.domain}`)).toBe('passed')
      await arriveAt(office, former, `cyd@${admin.domain}`)
      await admin.browser.call('activateSingleSignOn')
      await arriveAt(office, issuer, `dan@${admin.domain}`)
    } finally {
      await former.close()
    }
  })

  it('is done once of two calls at once', async () => {
    const admin = await administrator()
    expect(await tryOut(office, issuer, admin, `ben@${admin.domain}`)).toBe('passed')
    const answers = await Promise.all([1, 2].map(() => admin.browser.request('activateSingleSignOn')))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      error: 'single-sign-on-not-set-up',
    })
  })

  it('is of the own organization', async () => {
    const [admin, other] = [await administrator(), await newFounder(office)]
    expect(await tryOut(office, issuer, admin, `ben@${admin.domain}`)).toBe('passed')
    expect((await other.browser.request('activateSingleSignOn')).status).toBe(409)
    expect((await admin.browser.call('getSingleSignOn')).inForce).toBeNull()
    const moderator = await newMember(office, admin, 'moderator')
    expect((await moderator.browser.request('activateSingleSignOn')).status).toBe(403)
  })
})
