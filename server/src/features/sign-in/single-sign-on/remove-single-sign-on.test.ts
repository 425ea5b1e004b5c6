import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  arriveAt,
  connectToIssuer,
  draftAt,
  newDomainOwner,
  openOfficeWithIssuer,
} from '../../../../tests/chapters/single-sign-on.ts'
import type { TestOffice } from '../../../../tests/office.ts'
import { auditOf, newFounder } from '../../../../tests/people.ts'
import type { HostileIssuer } from '../../../../tests/vendors/hostile-issuer.ts'

describe('removeSingleSignOn', () => {
  let office: TestOffice
  let issuer: HostileIssuer
  beforeAll(async () => {
    ;({ office, issuer } = await openOfficeWithIssuer())
  })
  afterAll(() => office.close())

  it('takes away the draft and what is in force, once, with their secrets', async () => {
    const [admin, other] = [await newDomainOwner(office), await newFounder(office)]
    await connectToIssuer(office, admin.organizationId, issuer.issuer)
    await admin.browser.call('saveSingleSignOn', draftAt(issuer))
    const ada = await arriveAt(office, issuer, `ada@${admin.domain}`)
    const none = { status: 409, body: { error: 'single-sign-on-not-set-up' } }
    expect(await other.browser.request('removeSingleSignOn')).toMatchObject(none)
    expect((await admin.browser.request('removeSingleSignOn')).status).toBe(204)
    expect((await ada.browser.request('getCurrentUser')).status).toBe(401)
    expect(await admin.browser.call('getSingleSignOn')).toEqual({
      inForce: null,
      draft: null,
      lastTest: null,
    })
    const { rows } = await office.database.pool.query(
      `select issuer from sso_connections where identity_organization_id = $1
        union all select issuer from sso_drafts where identity_organization_id = $1`,
      [admin.organizationId],
    )
    expect(rows).toEqual([])
    expect((await auditOf(admin)).at(-1)).toMatchObject({ action: 'single-sign-on.removed' })
    expect(await admin.browser.request('removeSingleSignOn')).toMatchObject(none)
  })
})
