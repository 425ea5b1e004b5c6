import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { devicesOf, newDevice } from '../../../tests/chapters/devices.ts'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newMember } from '../../../tests/people.ts'

describe('endDevice', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('withdraws a key for its person, and for nobody else', async () => {
    const founder = await newFounder(office)
    const member = await newMember(office, founder, 'member')
    const { deviceId, ...device } = newDevice()
    await member.browser.call('publishDevice', { deviceId, ...device })
    expect((await founder.browser.request('endDevice', { deviceId })).status).toBe(204)
    expect(await devicesOf(founder, member)).toHaveLength(1)
    for (let again = 0; again < 2; again += 1)
      expect((await member.browser.request('endDevice', { deviceId })).status).toBe(204)
    expect(await devicesOf(founder, member)).toEqual([])
  })
})
