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
   * Of clients inside, by their identities, those with a key that the office lists at this moment: then neither the office alone
   * nor the media server alone has made it up. A refusal is about those it was asked about, who are none of them.
   */
  whoIsKnown(said: ReadonlyMap<string, Hello>): Promise<string[]>
}

export function isGuest(identity: string): boolean {
  return identity.startsWith('guest:')
}

/** The id of a member: a further connection of theirs carries a mark behind it. */
export function memberOf(identity: string): string {
  return identity.split('#')[0] ?? identity
}

export function memberOffice(client: AtriumClient, roomId: string, deviceId: string): SealingOffice {
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
    async whoIsKnown(said) {
      const all = [...said]
      const [members, guests] = await Promise.all([
        knownMembers(
          client,
          all.filter(([identity]) => !isGuest(identity)),
        ),
        knownGuests(
          client,
          roomId,
          all.filter(([identity]) => isGuest(identity)),
        ),
      ])
      return [...members, ...guests]
    },
  }
}

type Said = readonly (readonly [identity: string, hello: Hello])[]

/** As many the office lists at once. */
const LISTED_AT_ONCE = 500

async function knownMembers(client: AtriumClient, said: Said): Promise<string[]> {
  const known: string[] = []
  for (let from = 0; from < said.length; from += LISTED_AT_ONCE) {
    const part = said.slice(from, from + LISTED_AT_ONCE)
    const userIds = [...new Set(part.map(([identity]) => memberOf(identity)))]
    const devices = await unlessRefused(async () => (await client.call('listDevices', { userIds })).devices)
    const listed = new Set(
      devices.map(({ userId, deviceId, publicKey }) => markOf(userId, deviceId, publicKey)),
    )
    for (const [identity, { deviceId, publicKey }] of part)
      if (listed.has(markOf(memberOf(identity), deviceId, publicKey))) known.push(identity)
  }
  return known
}

async function knownGuests(client: AtriumClient, roomId: string, said: Said): Promise<string[]> {
  if (said.length === 0) return []
  const guests = await unlessRefused(async () => (await client.call('listGuests', { roomId })).guests)
  const listed = new Set(
    guests
      .filter(({ state }) => state === 'admitted')
      .map(({ guestIdentity, publicKey }) => markOf(guestIdentity, publicKey)),
  )
  return said.flatMap(([identity, { publicKey }]) =>
    listed.has(markOf(identity, publicKey)) ? [identity] : [],
  )
}

function markOf(...parts: (string | undefined)[]): string {
  return JSON.stringify(parts)
}

/** A refusal is about those who are asked about, who are unknown by it; where the office cannot be asked, nothing is known. */
async function unlessRefused<Listed>(list: () => Promise<Listed[]>): Promise<Listed[]> {
  try {
    return await list()
  } catch (error) {
    if (error instanceof AtriumError && [400, 403, 404].includes(error.status)) return []
    throw error
  }
}

/** Guests see no lists of the office: what others say of themselves is all they have, and the words. */
export function guestOffice(client: AtriumClient, inviteId: string): SealingOffice {
  return {
    fetch: () => client.call('fetchGuestRoomKey', { inviteId }),
    whoIsKnown: async (said) => [...said.keys()],
  }
}
