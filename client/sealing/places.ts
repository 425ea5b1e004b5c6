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
  /**
   * Whether the office knows of that key too, at this moment: then neither the office alone nor the media server alone has
   * made it up.
   */
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
  const devicesOf = sharedReads(async (userId) => (await client.call('listDevices', { userId })).devices)
  const guestsOf = sharedReads(async (room) => (await client.call('listGuests', { roomId: room })).guests)
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
    async isKnown(identity, { deviceId, publicKey }) {
      if (!isGuest(identity)) {
        const devices = await devicesOf(memberOf(identity))
        return devices.some((one) => one.deviceId === deviceId && one.publicKey === publicKey)
      }
      const guests = await guestsOf(roomId)
      const guest = guests.find(({ guestIdentity }) => guestIdentity === identity)
      return guest?.state === 'admitted' && guest.publicKey === publicKey
    },
  }
}

/** All who ask while an answer is on its way get that one; nothing is kept. */
function sharedReads<Answer>(read: (of: string) => Promise<Answer>): (of: string) => Promise<Answer> {
  const underWay = new Map<string, Promise<Answer>>()
  return (of) => {
    const reading = underWay.get(of) ?? read(of).finally(() => underWay.delete(of))
    underWay.set(of, reading)
    return reading
  }
}

/** Guests see no lists of the office: what others say of themselves is all they have, and the words. */
export function guestOffice(client: AtriumClient, inviteId: string): SealingOffice {
  return {
    fetch: () => client.call('fetchGuestRoomKey', { inviteId }),
    isKnown: async () => true,
  }
}
