import { randomUUID } from 'node:crypto'
import type { AtriumClient } from '@atrium/client'
import {
  createSealedRoom,
  guestOffice,
  type KeyPair,
  memberOffice,
  newKeyPair,
  type SealedRoom,
  type SealingOffice,
} from '@atrium/client/sealing'
import type { TestOffice } from '../office.ts'
import type { Person } from '../people.ts'
import { enterRoom, guestLink, joinRoom, leaveRoom } from './rooms.ts'

type Founder = Pick<Person, 'browser'> & { organizationId: string }

/** A client inside a sealed room, as the web office is one. */
export interface SealingClient {
  identity: string
  keys: KeyPair
  room: SealedRoom
  /** Keys that it was told to use, by their epoch, as base64url. */
  used: Map<number, string>
}

/** What passes between clients at the media server: who is inside, and packets. */
export interface MediaPath {
  clients: SealingClient[]
  /** What an attacker, or the network, makes of a packet; undefined: it is lost. */
  meddle?: (packet: { from: string; to: string; payload: Uint8Array }) => Uint8Array | undefined
  /** Everything that passed. */
  packets: Uint8Array[]
}

export function newMediaPath(): MediaPath {
  return { clients: [], packets: [] }
}

let clock = 0

/** Comes in as a member, with a device of their own. @param around what stands between the client and the office */
export async function enterSealed(
  office: TestOffice,
  path: MediaPath,
  { person, roomId }: { person: Pick<Person, 'browser' | 'id'>; roomId: string },
  around: (office: SealingOffice) => SealingOffice = (same) => same,
): Promise<SealingClient> {
  const deviceId = randomUUID()
  const keys = await newKeyPair()
  await person.browser.call('publishDevice', { deviceId, publicKey: keys.publicKey, name: 'Test' })
  await enterRoom(office, person, roomId)
  const own = around(memberOffice(person.browser, roomId, deviceId))
  return comeIn(path, { identity: person.id, roomId, keys, deviceId, office: own })
}

/** Comes in as a guest whom the founder lets in. */
export async function enterSealedAsGuest(
  office: TestOffice,
  path: MediaPath,
  { founder, roomId }: { founder: Founder; roomId: string },
): Promise<SealingClient & { browser: AtriumClient }> {
  const keys = await newKeyPair()
  const browser = office.browser()
  const asking = { inviteToken: await guestLink(founder, roomId), guestName: 'Gast' }
  const asked = await browser.call('authorizeGuest', { ...asking, publicKey: keys.publicKey })
  const { guestIdentity = '', inviteId = '' } = asked
  await founder.browser.call('admitGuest', { roomId, guestIdentity, action: 'admit' })
  await joinRoom(office, asked.rtcToken)
  const own = guestOffice(browser, inviteId)
  return { ...comeIn(path, { identity: guestIdentity, roomId, keys, office: own }), browser }
}

/** Leaves as a member does who closes the page. */
export async function leaveSealed(
  office: TestOffice,
  path: MediaPath,
  { person, roomId }: { person: Pick<Person, 'browser' | 'id'>; roomId: string },
): Promise<void> {
  const client = path.clients.find(({ identity }) => identity === person.id)
  if (client) goAway(path, client)
  await leaveRoom(office, person, roomId)
}

/** Is gone at the media server. */
export function goAway(path: MediaPath, client: SealingClient): void {
  client.room.close()
  path.clients = path.clients.filter((one) => one !== client)
  tellInside(path)
}

/** What the event and the data packet of a new key do. */
export function tellOfKey(path: MediaPath): void {
  for (const { room } of path.clients) room.keySent()
}

interface Entering {
  identity: string
  roomId: string
  keys: KeyPair
  deviceId?: string
  office: SealingOffice
}

function comeIn(path: MediaPath, { identity, ...entering }: Entering): SealingClient {
  const used = new Map<number, string>()
  const send = entering.office.send
  const told: SealingOffice = {
    ...entering.office,
    ...(send && {
      send: async (epoch, boxes) => {
        const isSent = await send(epoch, boxes)
        if (isSent) queueMicrotask(() => tellOfKey(path))
        return isSent
      },
    }),
  }
  const room = createSealedRoom({
    ...entering,
    office: told,
    say: (payload, to) => void pass(path, { from: identity, to }, payload),
    useKey: (key, epoch) => void used.set(epoch, Buffer.from(key).toString('base64url')),
  })
  clock += 1
  joinedAt.set(identity, clock)
  const client = { identity, keys: entering.keys, room, used }
  path.clients.push(client)
  tellInside(path)
  return client
}

const joinedAt = new Map<string, number>()

function tellInside({ clients }: MediaPath): void {
  const people = clients.map(({ identity }) => {
    const since = joinedAt.get(identity) ?? 0
    return { identity, connection: `${identity} ${since}`, joinedAt: since }
  })
  for (const { room, identity } of clients) room.setInside(people, identity)
}

function pass(
  path: MediaPath,
  { from, to }: { from: string; to: string[] | undefined },
  payload: Uint8Array,
): void {
  path.packets.push(payload)
  for (const { identity, room } of path.clients) {
    if (identity === from || to?.includes(identity) === false) continue
    const arrived = path.meddle ? path.meddle({ from, to: identity, payload }) : payload
    if (arrived) queueMicrotask(() => room.hear(from, arrived))
  }
}
