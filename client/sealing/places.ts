import { AtriumError } from '../errors.ts'
import type { AtriumClient, Input, SuccessBody } from '../index.ts'
import type { SealingMessage } from './messages.ts'

export type Hello = Extract<SealingMessage, { kind: 'hello' }>
export type SentBox = Input<'sendRoomKey'>['boxes'][number]
type OwnBox = SuccessBody<'fetchRoomKey'>

/** What the office does for a client in a sealed room. All reject as `call` does. */
export interface SealingOffice {
  fetch(): Promise<OwnBox>
  /** Guests send no keys. @returns false where another client was first */
  send?(epoch: number, boxes: SentBox[]): Promise<boolean>
  /** Whether the office knows of that key too: then neither the office alone nor the media server alone has made it up. */
  isKnown(identity: string, hello: Hello): Promise<boolean>
}

export function isGuest(identity: string): boolean {
  return identity.startsWith('guest:')
}

/** The id of a member: a further connection of theirs carries a mark behind it. */
export function memberOf(identity: string): string {
  return identity.split('#')[0] ?? identity
}

export function memberOffice(client: AtriumClient, roomId: string, deviceId: string): SealingOffice {
  const devices = new Map<string, SuccessBody<'listDevices'>['devices']>()
  let guests: SuccessBody<'listGuests'>['guests'] = []
  const hasDevice = (identity: string, hello: Hello) =>
    devices
      .get(memberOf(identity))
      ?.some((one) => one.deviceId === hello.deviceId && one.publicKey === hello.publicKey) ?? false
  const isAdmitted = (identity: string, { publicKey }: Hello) =>
    guests.some(
      (one) => one.guestIdentity === identity && one.state === 'admitted' && one.publicKey === publicKey,
    )
  return {
    fetch: () => client.call('fetchRoomKey', { roomId, deviceId }),
    async send(epoch, boxes) {
      try {
        await client.call('sendRoomKey', { roomId, epoch, boxes })
        return true
      } catch (error) {
        if (error instanceof AtriumError && error.error === 'epoch-taken') return false
        throw error
      }
    },
    async isKnown(identity, hello) {
      if (isGuest(identity)) {
        if (isAdmitted(identity, hello)) return true
        guests = (await client.call('listGuests', { roomId })).guests
        return isAdmitted(identity, hello)
      }
      if (hasDevice(identity, hello)) return true
      const userId = memberOf(identity)
      devices.set(userId, (await client.call('listDevices', { userId })).devices)
      return hasDevice(identity, hello)
    },
  }
}

/** Guests see no lists of the office: what others say of themselves is all they have, and the words. */
export function guestOffice(client: AtriumClient, inviteId: string): SealingOffice {
  return {
    fetch: () => client.call('fetchGuestRoomKey', { inviteId }),
    isKnown: async () => true,
  }
}
