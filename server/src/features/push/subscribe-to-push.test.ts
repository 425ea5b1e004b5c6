import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestOffice, type TestOffice } from '../../../tests/office.ts'
import { newFounder, newPerson, type Person } from '../../../tests/people.ts'
import { newBrowser } from '../../../tests/vendors/push-receiver.ts'

let office: TestOffice
beforeAll(async () => {
  office = await openTestOffice()
})
afterAll(() => office.close())

const listed = async ({ browser }: Person) =>
  (await browser.call('listPushSubscriptions')).subscriptions.map(({ id }) => id)
const subscribe = ({ browser }: Person, made = newBrowser()) =>
  browser.call('subscribeToPush', { ...made, show: 'who' })

describe('subscribeToPush', () => {
  it('has one subscription for an endpoint: subscribed again, from any account, the former one ends', async () => {
    const [ada, ben] = [await newPerson(office), await newPerson(office)]
    const shared = newBrowser()
    const first = await subscribe(ada, shared)
    const second = await subscribe(ada, shared)
    expect(second.id).not.toBe(first.id)
    expect(await listed(ada)).toEqual([second.id])
    const third = await subscribe(ben, shared)
    expect(await listed(ada)).toEqual([])
    expect(await listed(ben)).toEqual([third.id])
  })

  it('keeps the twenty newest of a person, also of many at once', async () => {
    const ada = await newPerson(office)
    const ids = await Promise.all(Array.from({ length: 23 }, () => subscribe(ada)))
    const newest = ids.map(({ id }) => id).toSorted((one, other) => Number(other) - Number(one))
    expect(await listed(ada)).toEqual(newest.slice(0, 20))
  })

  it('follows its session through a switch, and ends with it', async () => {
    const ada = await newFounder(office)
    const { id } = await subscribe(ada)
    const { id: organizationId } = await ada.browser.call('createOrganization', { name: 'Another' })
    await ada.browser.call('switchOrganization', { email: ada.email, organizationId })
    expect(await listed(ada)).toEqual([id])
    await ada.browser.call('switchOrganization', { email: ada.email, organizationId: ada.organizationId })
    expect(await listed(ada)).toEqual([id])
    await ada.browser.call('signOut')
    const { rows } = await office.database.pool.query('select from push_subscriptions where id = $1', [id])
    expect(rows).toEqual([])
  })

  it.each([
    { endpoint: 'push' },
    { endpoint: 'ftp://push.example/send' },
    { endpoint: 'https://ada:secret@push.example/send' },
    { endpoint: `https://push.example/${'x'.repeat(1_024)}` },
    { keys: { ...newBrowser().keys, auth: 'short' } },
    { keys: { ...newBrowser().keys, p256dh: 'B'.repeat(87) } },
    { show: 'everything' },
  ])('refuses %j', async (wrong) => {
    const ada = await newPerson(office)
    const input = { ...newBrowser(), show: 'who', ...wrong }
    const answer = await ada.browser.request('subscribeToPush', input as never)
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid-input' } })
    expect(await listed(ada)).toEqual([])
  })

  it('refuses who has no session', async () => {
    const answer = await office.browser().request('subscribeToPush', { ...newBrowser(), show: 'who' })
    expect(answer.status).toBe(401)
  })
})
