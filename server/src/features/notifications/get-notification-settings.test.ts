import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newPerson } from '../../../tests/people.ts'

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice()
})
afterAll(() => office.close())

it('sounds and is never quiet where nothing was chosen, and shows the choice of no other', async () => {
  const [ada, ben] = [await newPerson(office), await newPerson(office)]
  await ada.browser.call('updateNotificationSettings', { sounds: false })
  expect(await ben.browser.call('getNotificationSettings')).toEqual({ quietHours: null, sounds: true })
  expect((await office.browser().request('getNotificationSettings')).status).toBe(401)
})
