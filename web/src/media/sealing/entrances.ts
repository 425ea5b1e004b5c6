import {
  createDeviceStore,
  createKeyWatch,
  guestOffice,
  memberOffice,
  newKeyPair,
  publishOwnDevice,
} from '@atrium/client/sealing'
import { client } from '../../live/office-client.ts'
import { sealedCall } from './sealed-call.ts'
import type { OpenSealing } from './sealing.ts'

const store = createDeviceStore()

/** For a member: with the device of this browser, which the office lists. Rejects as `call` does. */
export async function memberSealing(userId: string): Promise<OpenSealing> {
  const device = await publishOwnDevice(client, store, { userId, name: nameOfBrowser() })
  const { deviceId } = device
  return sealedCall({
    keys: device,
    deviceId,
    officeOf: (roomId) => memberOffice(client, roomId, deviceId),
    watch: createKeyWatch(store),
  })
}

const guestKeys: { pair?: ReturnType<typeof newKeyPair> } = {}

/** The public key of this page, for guests: it lasts as long as the page is open. */
export async function guestKey(): Promise<string> {
  guestKeys.pair ??= newKeyPair()
  return (await guestKeys.pair).publicKey
}

export async function guestSealing(inviteId: string): Promise<OpenSealing> {
  guestKeys.pair ??= newKeyPair()
  return sealedCall({ keys: await guestKeys.pair, officeOf: () => guestOffice(client, inviteId) })
}

/** As far as a browser says it: their person tells their devices apart by it. */
function nameOfBrowser(): string {
  const [, browser = 'Browser'] = /(Firefox|Edg|OPR|Chrome|Safari)\//.exec(navigator.userAgent) ?? []
  const [, system] = /(Windows|Mac OS|Android|iPhone|iPad|Linux)/.exec(navigator.userAgent) ?? []
  return system ? `${browser} on ${system}` : browser
}
