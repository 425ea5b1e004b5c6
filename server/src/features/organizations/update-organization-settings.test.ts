import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { auditOf, newFounder, newMember } from '../../../tests/people.ts'

describe('updateOrganizationSettings', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('changes what is given, for this organization alone, and writes it down once', async () => {
    const founder = await newFounder(office)
    const other = await newFounder(office)
    const decided = { guestAdmission: 'moderator', agents: true, language: 'de' } as const
    for (let time = 0; time < 2; time += 1)
      expect(
        await founder.browser.call('updateOrganizationSettings', {
          guestAdmission: 'moderator',
          language: 'de',
        }),
      ).toEqual(decided)
    expect(await founder.browser.call('getOrganizationSettings')).toEqual(decided)
    expect(await other.browser.call('getOrganizationSettings')).toMatchObject({ guestAdmission: 'admin' })
    const entries = (await auditOf(founder)).filter(
      ({ action }) => action === 'organization.settings-changed',
    )
    expect(entries).toMatchObject([{ detail: { ...decided, agents: 'on' } }])
    expect(await founder.browser.call('updateOrganizationSettings', { agents: false })).toEqual({
      ...decided,
      agents: false,
    })
  })

  it('loses no change of several at once', async () => {
    const { browser } = await newFounder(office)
    await Promise.all([
      browser.call('updateOrganizationSettings', { guestAdmission: 'member' }),
      browser.call('updateOrganizationSettings', { agents: false }),
      browser.call('updateOrganizationSettings', { language: 'de' }),
    ])
    expect(await browser.call('getOrganizationSettings')).toEqual({
      ...{ guestAdmission: 'member', agents: false, language: 'de' },
    })
  })

  it('is for administrators, and takes the words of the contract alone', async () => {
    const founder = await newFounder(office)
    const moderator = await newMember(office, founder, 'moderator')
    expect(await moderator.browser.request('updateOrganizationSettings', { agents: false })).toMatchObject({
      status: 403,
      body: { error: 'role-not-allowed' },
    })
    const wrong = { guestAdmission: 'guest' } as never
    expect((await founder.browser.request('updateOrganizationSettings', wrong)).status).toBe(400)
  })
})
