import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  arriveAt,
  connectToIssuer,
  newDomainOwner,
  openOfficeWithIssuer,
  tryOut,
} from '../../../../tests/chapters/single-sign-on.ts'
import type { TestOffice } from '../../../../tests/office.ts'
import { auditOf, newFounder } from '../../../../tests/people.ts'
import type { HostileIssuer } from '../../../../tests/vendors/hostile-issuer.ts'

describe('deactivateSingleSignOn', () => {
  let office: TestOffice
  let issuer: HostileIssuer
  beforeAll(async () => {
    ;({ office, issuer } = await openOfficeWithIssuer())
  })
  afterAll(() => office.close())

  async function administrator() {
    const owner = await newDomainOwner(office)
    await connectToIssuer(office, owner.organizationId, issuer.issuer)
    return owner
  }

  it('lets people sign in by codes again, and keeps the connection as a draft that wants a test', async () => {
    const admin = await administrator()
    const ada = await arriveAt(office, issuer, `ada@${admin.domain}`)
    const { inForce } = await admin.browser.call('getSingleSignOn')
    const left = await admin.browser.call('deactivateSingleSignOn')
    expect(left).toMatchObject({ inForce: null, draft: { ...inForce, testedAt: null } })
    expect((await ada.browser.request('getCurrentUser')).status).toBe(401)
    const { authData } = await office.browser().call('signIn', { email: ada.email })
    expect(authData.authMethod).toBe('magic_auth')
    expect((await auditOf(admin)).at(-1)).toMatchObject({ action: 'single-sign-on.deactivated' })
    expect((await admin.browser.request('activateSingleSignOn')).status).toBe(409)
    // with the secret that it had, under the address that it had
    expect(await tryOut(office, issuer, admin, ada.email)).toBe('passed')
    const again = await admin.browser.call('activateSingleSignOn')
    expect(again.inForce).toEqual(inForce)
    await arriveAt(office, issuer, ada.email)
  })

  it('has nothing to take out of force twice, nor of another organization', async () => {
    const [admin, other] = [await administrator(), await newFounder(office)]
    const none = { status: 409, body: { error: 'single-sign-on-not-set-up' } }
    expect(await other.browser.request('deactivateSingleSignOn')).toMatchObject(none)
    expect((await admin.browser.call('getSingleSignOn')).inForce).not.toBeNull()
    await admin.browser.call('deactivateSingleSignOn')
    expect(await admin.browser.request('deactivateSingleSignOn')).toMatchObject(none)
  })
})
