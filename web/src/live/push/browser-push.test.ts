import { afterEach, expect, it, vi } from 'vitest'
import { subscribeBrowser, unsubscribeBrowser } from './browser-push.ts'

afterEach(() => vi.unstubAllGlobals())

const KEY = 'BPush-Key_of-this_office'
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64url')).buffer
const subscriptionUnder = (key: string) => ({
  options: { applicationServerKey: bytesOf(key) },
  unsubscribe: vi.fn(async () => true),
  toJSON: () => ({ endpoint: 'https://push.example/1', keys: { p256dh: 'p', auth: 'a' } }),
})

function browserWith(former: ReturnType<typeof subscriptionUnder> | null) {
  const pushManager = {
    getSubscription: async () => former,
    subscribe: vi.fn(async () => subscriptionUnder(KEY)),
  }
  const register = vi.fn(async () => ({ pushManager }))
  vi.stubGlobal('navigator', { serviceWorker: { register, getRegistration: async () => ({ pushManager }) } })
  return { register, pushManager }
}

it('subscribes under the key of the office, by an address that the policy of the page trusts', async () => {
  const { register, pushManager } = browserWith(null)
  vi.stubGlobal('trustedTypes', {
    createPolicy: (_: string, { createScriptURL }: { createScriptURL(): string }) => ({
      createScriptURL: () => ({ trusted: createScriptURL() }),
    }),
  })
  expect(await subscribeBrowser(KEY)).toEqual({
    endpoint: 'https://push.example/1',
    keys: { p256dh: 'p', auth: 'a' },
  })
  expect(register).toHaveBeenCalledWith({ trusted: '/push-worker.js' })
  expect(pushManager.subscribe).toHaveBeenCalledWith({ userVisibleOnly: true, applicationServerKey: KEY })
})

it('ends a subscription under a key that is no longer the office’s, and keeps one under the same', async () => {
  const [other, same] = [subscriptionUnder('BAnother-Key'), subscriptionUnder(KEY)]
  browserWith(other)
  await subscribeBrowser(KEY)
  expect(other.unsubscribe).toHaveBeenCalledTimes(1)
  browserWith(same)
  await subscribeBrowser(KEY)
  expect(same.unsubscribe).not.toHaveBeenCalled()
  await unsubscribeBrowser()
  expect(same.unsubscribe).toHaveBeenCalledTimes(1)
})
