import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newPerson } from '../../../tests/people.ts'
import { newBrowser } from '../../../tests/vendors/push-receiver.ts'

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice()
})
afterAll(() => office.close())

it('ends one’s own once, and nobody else’s', async () => {
  const [ada, ben] = [await newPerson(office), await newPerson(office)]
  const { id } = await ada.browser.call('subscribeToPush', { ...newBrowser(), show: 'what' })
  const missing = { status: 404, body: { error: 'push-subscription-not-found' } }
  expect(await ben.browser.request('endPushSubscription', { id })).toMatchObject(missing)
  expect((await ada.browser.request('endPushSubscription', { id })).status).toBe(204)
  expect(await ada.browser.request('endPushSubscription', { id })).toMatchObject(missing)
  expect(await ada.browser.request('endPushSubscription', { id: 'none' })).toMatchObject(missing)
  expect((await ada.browser.call('listPushSubscriptions')).subscriptions).toEqual([])
})
