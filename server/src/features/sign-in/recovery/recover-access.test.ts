import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectToIssuer, giveDomain } from '../../../../tests/chapters/single-sign-on.ts'
import { freshEmail, openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { atrium } from '../../../../tests/operator/command-line.ts'
import { newFounder, newMember, newPerson, recoveryTokenOf } from '../../../../tests/people.ts'
import { recordedLog } from '../../../../tests/recorded-log.ts'
import { domainOf } from '../../../directory/domains/domains.ts'
import { enforceSingleSignOn } from '../federated/enforce-single-sign-on.ts'

const WRONG = { status: 400, body: { error: 'invalid-code' } }

describe('recoverAccess: by the link of an operator', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  /** An admin of a domain that demands single sign-on, after its keys were lost. */
  async function lockedOut() {
    const domain = `${freshEmail('d').split('@')[0]}.example`
    const first = await newFounder(office)
    const known = await newPerson(office, `ada@${domain}`)
    const admin = await newMember(office, first, 'admin', known)
    await giveDomain(office, first.organizationId, domain, 'believed')
    await connectToIssuer(office, first.organizationId, 'https://issuer.example')
    return { ...admin, email: known.email, organizationId: first.organizationId, first }
  }
  const linkFor = async (organization: string, email: string, recorded = recordedLog()) => {
    const printed = await atrium(office, ['organization', 'recovery-link', organization, email], {
      log: recorded.log,
    })
    return { url: new URL(printed.split('\n')[0] ?? ''), printed, recorded }
  }

  it('lets an administrator in after their single sign-on has failed, once, and they stay in', async () => {
    const admin = await lockedOut()
    const { url } = await linkFor(admin.organizationId, admin.email.toUpperCase())
    expect(url.pathname).toBe('/recovery')
    expect(url.search).toBe('')
    const token = url.hash.slice(1)
    const browser = office.browser()
    const { user } = await browser.call('recoverAccess', { token })
    expect(user).toMatchObject({ id: admin.id, email: admin.email })
    expect(await office.browser().request('recoverAccess', { token })).toMatchObject(WRONG)

    const { db, identity, callers } = office.office.needs
    const needs = { db, identity, callers, clock: office.clock, log: recordedLog().log }
    await enforceSingleSignOn(needs, { domain: domainOf(admin.email) })
    expect(await browser.call('getCurrentUser')).toMatchObject({
      currentOrganizationId: admin.organizationId,
    })
    const { data } = await admin.first.browser.call('listAuditLog')
    const [used, made] = data
    expect(made).toMatchObject({
      action: 'recovery-link.created',
      actor: { kind: 'operator' },
      target: { kind: 'user', id: admin.id },
    })
    expect(used).toMatchObject({
      action: 'member.signed-in',
      actor: { id: admin.id },
      detail: { method: 'recovery-link' },
    })
  })

  it('is one line of the log, without the token and the address', async () => {
    const founder = await newFounder(office)
    const { url, recorded } = await linkFor(founder.organizationId, founder.email)
    expect(recorded.lines).toContainEqual(
      expect.objectContaining({ command: 'recovery-link.created', organization: founder.organizationId }),
    )
    for (const secret of [url.hash.slice(1), founder.email]) expect(recorded.text()).not.toContain(secret)
  })

  it('opens that organization alone where its domain does not say who a person is', async () => {
    const [founder, elsewhere] = [await newFounder(office), await newFounder(office, 'Elsewhere')]
    await newMember(office, elsewhere, 'member', founder)
    const browser = office.browser()
    await browser.call('recoverAccess', { token: await recoveryTokenOf(office, founder) })
    const move = { email: founder.email, organizationId: elsewhere.organizationId }
    expect((await browser.request('switchOrganization', move)).status).toBe(403)
  })

  it('is of the newest link only, for a quarter of an hour, and one of two calls at once', async () => {
    const founder = await newFounder(office)
    const [first, second] = [await recoveryTokenOf(office, founder), await recoveryTokenOf(office, founder)]
    expect(await office.browser().request('recoverAccess', { token: first })).toMatchObject(WRONG)
    const answers = await Promise.all(
      [1, 2].map(() => office.browser().request('recoverAccess', { token: second })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    const late = await recoveryTokenOf(office, founder)
    office.clock.advance(15 * 60 + 1)
    const answer = await office.browser().request('recoverAccess', { token: late })
    office.clock.advance(-15 * 60 - 1)
    expect(answer).toMatchObject(WRONG)
  })

  it('opens nothing to a member who is no administrator any more', async () => {
    const founder = await newFounder(office)
    const admin = await newMember(office, founder, 'admin')
    const token = await recoveryTokenOf(office, { ...admin, organizationId: founder.organizationId })
    await founder.browser.call('updateMember', { id: admin.id, role: 'member' })
    expect(await office.browser().request('recoverAccess', { token })).toMatchObject(WRONG)
    expect(await office.browser().request('recoverAccess', { token: 'rec_made-up' })).toMatchObject(WRONG)
  })

  it('is made for administrators alone, and not past the single sign-on of another organization', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'moderator')
    for (const email of [member.email, freshEmail()])
      await expect(linkFor(founder.organizationId, email)).rejects.toThrow('is no administrator of')
    const admin = await lockedOut()
    await newMember(office, founder, 'admin', admin)
    await expect(linkFor(founder.organizationId, admin.email)).rejects.toThrow(
      'signs in by the single sign-on of',
    )
    await expect(linkFor('org_00000000000000000000000000', founder.email)).rejects.toThrow(
      'There is no organization',
    )
    await expect(linkFor(founder.organizationId, 'nobody')).rejects.toThrow('is no e-mail address')
  })
})
