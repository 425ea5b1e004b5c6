import { expect, it } from 'vitest'
import { openTestOffice } from '../../../tests/office.ts'
import { newFounder } from '../../../tests/people.ts'

it('says what holds where nothing was decided, and nothing of that is for ever but where it says so', async () => {
  const office = await openTestOffice()
  try {
    const { browser } = await newFounder(office)
    expect(await browser.call('getOrganizationRetention')).toEqual({
      ...{ chatDays: null, auditDays: null, recordingDays: null, sessionDays: null },
      deployment: { chatDays: null, auditDays: null, auditDaysMin: 90, recordingDays: 90, sessionDays: 30 },
    })
    expect(await office.browser().request('getOrganizationRetention')).toMatchObject({ status: 401 })
  } finally {
    await office.close()
  }
})
