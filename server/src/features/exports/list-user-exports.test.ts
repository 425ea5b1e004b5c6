import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  arriveAt,
  connectToIssuer,
  freshDomain,
  giveDomain,
  openOfficeWithIssuer,
} from '../../../tests/chapters/single-sign-on.ts'
import { exportOf } from '../../../tests/data/archives.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember, newPerson } from '../../../tests/people.ts'

describe('listUserExports', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('shows a person their own, newest first, and nobody else’s', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const first = await exportOf(office, member.browser, 'User')
    const second = await exportOf(office, member.browser, 'User')
    const { exports } = await member.browser.call('listUserExports')
    const keys = exports.map(({ downloadUrl }) => new URL(downloadUrl as string).pathname)
    expect(keys).toEqual([second, first].map((url) => new URL(url).pathname))
    expect((await founder.browser.call('listUserExports')).exports).toEqual([])
    expect((await founder.browser.call('listOrganizationExports')).exports).toEqual([])
    expect(await office.browser().request('listUserExports')).toMatchObject({ status: 401 })
  })
})

describe('listUserExports by the single sign-on of one organization', () => {
  const REFUSED = { status: 403, body: { error: 'sign-in-method-not-accepted' } }

  it.each([
    ['left', 'removeMember'],
    ['that was deleted', 'deleteOrganization'],
  ] as const)('gives no archive that is of another one too, %s since', async (_how, operation) => {
    const { office, issuer } = await openOfficeWithIssuer()
    const [customer, host] = [await newFounder(office, 'Customer'), await newFounder(office, 'Host')]
    const domain = freshDomain()
    const person = await newMember(office, host, 'member', await newPerson(office, `ada@${domain}`))
    await exportOf(office, person.browser, 'User')
    await giveDomain(office, customer.organizationId, domain, 'believed')
    await connectToIssuer(office, customer.organizationId, issuer.issuer)
    const { browser } = await arriveAt(office, issuer, `ada@${domain}`)
    expect(await browser.request('listUserExports')).toMatchObject(REFUSED)
    if (operation === 'removeMember') await host.browser.call('removeMember', { id: person.id })
    else await host.browser.call('deleteOrganization', { organizationId: host.organizationId })
    expect(await browser.request('listUserExports')).toMatchObject(REFUSED)
    // until that archive can be fetched no more; a newer one is of where they are now
    const { exportId } = await browser.call('startUserExport')
    office.clock.advance(24 * 60 * 60 + 60)
    const { exports } = await browser.call('listUserExports')
    expect(exports.find((one) => one.exportId !== exportId)).toMatchObject({ state: 'expired' })
    await office.close()
  })
})
