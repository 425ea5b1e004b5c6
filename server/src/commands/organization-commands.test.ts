import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDomainOwner } from '../../tests/chapters/single-sign-on.ts'
import { openTestOffice, type TestOffice } from '../../tests/office.ts'
import { atrium } from '../../tests/operator/command-line.ts'
import { newFounder, newMember } from '../../tests/people.ts'

describe('the commands on organizations', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  const organization = (...args: string[]) => atrium(office, ['organization', ...args])

  it('restore brings a deleted organization back beside the running office, once', async () => {
    const { browser, organizationId } = await newFounder(office)
    await browser.call('deleteOrganization', { organizationId })
    expect(await browser.call('listOrganizations')).toEqual([])
    expect(await organization('restore', organizationId)).toContain('is back')
    expect(await browser.call('listOrganizations')).toMatchObject([{ organizationId }])
    await expect(organization('restore', organizationId)).rejects.toThrow('was deleted within')
  })

  it('restore says which domains are to be verified again', async () => {
    const { browser, organizationId, domain } = await newDomainOwner(office)
    // one of the identity provider's, for which no DNS is asked
    await office.database.pool.query(`update organization_domains set challenge = '' where domain = $1`, [
      domain,
    ])
    await browser.call('deleteOrganization', { organizationId })
    const printed = await organization('restore', organizationId)
    expect(printed).toContain(`${domain} is pending`)
    expect(printed).toContain(`atrium domain verify ${organizationId} ${domain}`)
  })

  it('restore makes the member who is named an admin', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const { browser, organizationId } = founder
    await browser.call('deleteOrganization', { organizationId })
    await expect(organization('restore', organizationId, '--admin', 'x')).rejects.toThrow('no e-mail address')
    const email = member.email.toUpperCase()
    expect(await organization('restore', organizationId, '--admin', email)).toContain('is back')
    expect(await member.browser.call('listOrganizations')).toMatchObject([{ userRole: 'admin' }])
  })

  it('verify-audit tells a whole trail from one that was changed', async () => {
    const { browser, organizationId } = await newFounder(office)
    await browser.call('updateOrganization', { organizationId, name: 'Renamed' })
    expect(await organization('verify-audit', organizationId)).toContain('2 entries')
    await office.database.pool.query('alter table audit_entries disable trigger audit_entries_stay')
    await office.database.pool.query(
      `update audit_entries set detail = '{}' where action = 'organization.renamed'`,
    )
    await expect(organization('verify-audit', organizationId)).rejects.toThrow('look at entry 2')
    await expect(organization('verify-audit', 'org_x')).rejects.toThrow('There is no organization')
  })
  it('calendars switches them off and on, and writes it down', async () => {
    const { browser, organizationId } = await newFounder(office)
    const enabled = async () => (await browser.call('getCurrentUser')).integrations.providerACalendar.enabled
    for (const position of ['off', 'off', 'on']) {
      await organization('calendars', organizationId, position)
      expect(await enabled()).toBe(position === 'on')
    }
    const { data } = await browser.call('listAuditLog')
    const switched = data.filter(({ action }) => action === 'organization.calendars-switched')
    expect(switched.map(({ detail }) => detail.position)).toEqual(['on', 'off', 'off'])
    await expect(organization('calendars', organizationId, 'maybe')).rejects.toThrow('on or off')
    await expect(organization('calendars', 'org_x', 'on')).rejects.toThrow('There is no organization')
  })
})
