import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newPerson } from '../../../tests/people.ts'
import { newBrowser } from '../../../tests/vendors/push-receiver.ts'

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice()
})
afterAll(() => office.close())

it('lists one’s own, by what the device is called, and neither endpoint nor keys', async () => {
  const [ada, ben] = [await newPerson(office), await newPerson(office)]
  const { id } = await ada.browser.call('subscribeToPush', { ...newBrowser(), show: 'what' })
  expect(await ada.browser.call('listPushSubscriptions')).toEqual({
    subscriptions: [{ id, device: expect.any(String), createdAt: expect.any(String) }],
  })
  expect(await ben.browser.call('listPushSubscriptions')).toEqual({ subscriptions: [] })
})
