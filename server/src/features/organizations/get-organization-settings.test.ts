import { expect, it } from 'vitest'
import { openTestOffice } from '../../../tests/office.ts'
import { newFounder, newMember } from '../../../tests/people.ts'

it('says what holds where nothing was decided, to all members of the organization', async () => {
  const office = await openTestOffice()
  try {
    const founder = await newFounder(office)
    const guest = await newMember(office, founder, 'guest')
    for (const { browser } of [founder, guest])
      expect(await browser.call('getOrganizationSettings')).toEqual({
        ...{ guestAdmission: 'admin', agents: true, language: 'en' },
      })
    expect(await office.browser().request('getOrganizationSettings')).toMatchObject({ status: 401 })
  } finally {
    await office.close()
  }
})
