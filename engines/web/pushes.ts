import assert from 'node:assert/strict'
import { createECDH, randomBytes } from 'node:crypto'
import type { Check } from '../engine.ts'
import { eventually } from '../waiting.ts'
import { newPerson } from './people.ts'
import { asVisitor, expectAccessible, type WebOffice } from './visitor.ts'

/** No push service is reached from here, and this Chromium allows no notifications: both are played. */
const PLAY_BROWSER = `(told) => {
  Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
  Notification.requestPermission = async () => 'granted'
  let made = null
  const subscription = { toJSON: () => told, unsubscribe: async () => ((made = null), true), options: {} }
  PushManager.prototype.getSubscription = async () => made
  PushManager.prototype.subscribe = async () => (made = subscription)
}`

function newSubscription() {
  const ecdh = createECDH('prime256v1')
  ecdh.generateKeys()
  const keys = { p256dh: ecdh.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') }
  return { endpoint: `http://127.0.0.1:9/${randomBytes(8).toString('hex')}`, keys }
}

/** Being told while the office is closed, as far as one browser goes: the worker is a real one. */
export async function tryPushes(office: WebOffice, check: Check): Promise<void> {
  const ada = await newPerson(office, 'Ada Lovelace', { found: 'Analytical Engines' })
  const count = async () => (await ada.client.call('listPushSubscriptions')).subscriptions.length
  await check(
    'pushes: a browser is told, its worker stands under the policy, and a notification leads on',
    () =>
      asVisitor(office, 'pushes', async (visitor) => {
        const { page } = visitor
        await page.addInitScript(`(${PLAY_BROWSER})(${JSON.stringify(newSubscription())})`)
        await ada.enter(visitor)
        await page.goto('/settings')
        await page.getByRole('switch', { name: /^Also while the office is closed/ }).press('Space')
        await eventually('the office has the subscription', async () => (await count()) === 1)
        await expectAccessible(page)
        const worker = await page.evaluate(
          'navigator.serviceWorker.ready.then(({ active }) => active.scriptURL)',
        )
        assert.equal(worker, new URL('/push-worker.js', office.url).href)

        // as the worker says it when a notification is clicked
        const said = "new MessageEvent('message', { data: { show: '/people' } })"
        await page.evaluate(`void navigator.serviceWorker.dispatchEvent(${said})`)
        await page.waitForURL('**/people')

        await page.goto('/settings')
        // off until the page has read what its browser is subscribed to
        await page
          .getByRole('switch', { name: /^Also while the office is closed/, checked: true })
          .press('Space')
        await eventually('the office has none any more', async () => (await count()) === 0)
      }),
  )
}
