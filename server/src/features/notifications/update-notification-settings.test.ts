import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newPerson } from '../../../tests/people.ts'

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice()
})
afterAll(() => office.close())

const NIGHT = { from: '18:00', to: '08:30', zone: 'Europe/Berlin' }

describe('updateNotificationSettings', () => {
  it('keeps what is not given, for a person in all their organizations and in none', async () => {
    for (const { browser } of [await newFounder(office), await newPerson(office)]) {
      const change = (input: object) => browser.call('updateNotificationSettings', input)
      expect(await change({ quietHours: NIGHT })).toEqual({ quietHours: NIGHT, sounds: true })
      expect(await change({ sounds: false })).toEqual({ quietHours: NIGHT, sounds: false })
      expect(await change({})).toEqual({ quietHours: NIGHT, sounds: false })
      expect(await change({ quietHours: null })).toEqual({ quietHours: null, sounds: false })
      expect(await browser.call('getNotificationSettings')).toEqual({ quietHours: null, sounds: false })
    }
  })

  it.each([
    { ...NIGHT, from: '24:00' },
    { ...NIGHT, to: '8:30' },
    { ...NIGHT, zone: 'Mars/Olympus' },
    { ...NIGHT, zone: '' },
    { from: '18:00', to: '08:30' },
    'night',
  ])('refuses what are no quiet hours: %j', async (quietHours) => {
    const { browser } = await newPerson(office)
    expect((await browser.request('updateNotificationSettings', { quietHours } as never)).status).toBe(400)
    expect((await browser.call('getNotificationSettings')).quietHours).toBeNull()
  })

  it.each([
    [{ ...NIGHT, from: '25:00' }, 'quietHours.from'],
    [{ ...NIGHT, to: 5 }, 'quietHours.to'],
    [{ from: '18:00', to: '08:30' }, 'quietHours.zone'],
    ['night', 'quietHours'],
  ])('says of %j what is wrong: %s', async (quietHours, field) => {
    const { browser } = await newPerson(office)
    const { body } = await browser.request('updateNotificationSettings', { quietHours } as never)
    expect(body).toMatchObject({ details: [{ field }] })
    expect(JSON.stringify(body).includes('as an object')).toBe(field === 'quietHours')
  })
})
