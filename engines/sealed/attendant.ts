import { randomUUID } from 'node:crypto'
import type { AtriumClient } from '@atrium/client'
import {
  createSealedRoom,
  memberOffice,
  newKeyPair,
  SEALING_TOPIC,
  type SealedRoom,
} from '@atrium/client/sealing'
import { ROOM_KEY } from '@atrium/contract'
import { Room, RoomEvent } from '@livekit/rtc-node'
import { within } from '../waiting.ts'
import type { WebPerson } from '../web/people.ts'

/** A member in a sealed room without a browser: connected to the media server, with the same keys, and neither seen nor heard. */
export interface Attendant {
  identity: string
  sealed: SealedRoom
  /** Keys that it was told to use, the newest last. */
  used: UsedKey[]
  /** What it has asked of the office, by operation. */
  asked: Map<string, number>
  /** Packets of the agreement that it has sent. */
  said: number
  leave(): Promise<void>
}

export interface UsedKey {
  key: string
  epoch: number
  /** Milliseconds since 1970. */
  at: number
}

const CONNECTED_WITHIN_MS = 60_000

/** The client for servers does not say when others came: the first to see one notes it for all in this process. */
const arrivals = new Map<string, number>()

export async function attend({ client }: WebPerson, roomId: string): Promise<Attendant> {
  const asked = new Map<string, number>()
  const counted = counting(client, asked)
  const deviceId = randomUUID()
  const keys = await newKeyPair()
  await counted.call('publishDevice', { deviceId, publicKey: keys.publicKey, name: 'Attendant' })
  const { url = '', token } = await counted.call('authorizeRoom', { roomId, username: 'Attendant' })
  const room = new Room()
  const used: UsedKey[] = []
  const attendant = { said: 0 }
  const sealed = createSealedRoom({
    ...{ roomId, office: memberOffice(counted, roomId, deviceId), keys, deviceId },
    say(payload, to) {
      attendant.said += 1
      const how = { reliable: true, topic: SEALING_TOPIC, ...(to && { destination_identities: to }) }
      room.localParticipant?.publishData(payload, how).catch(() => {})
    },
    useKey: (key, epoch) => void used.push({ key: Buffer.from(key).toString('hex'), epoch, at: Date.now() }),
  })
  const look = () => {
    const own = room.localParticipant
    if (own === undefined || !room.isConnected) return
    const now = Date.now()
    const people = [own, ...room.remoteParticipants.values()].map(({ identity, sid }) => {
      if (!arrivals.has(identity)) arrivals.set(identity, now)
      return { identity, connection: sid ?? '', joinedAt: arrivals.get(identity) ?? now }
    })
    sealed.setInside(people, own.identity)
  }
  room
    .on(RoomEvent.ParticipantConnected, look)
    .on(RoomEvent.ParticipantDisconnected, ({ identity }) => {
      arrivals.delete(identity)
      look()
    })
    .on(RoomEvent.DataReceived, (payload, from, _kind, topic) => {
      if (from && topic === SEALING_TOPIC) sealed.hear(from.identity, payload)
      if (!from && topic === ROOM_KEY) sealed.keySent()
    })
  const join = () => room.connect(url, token, { autoSubscribe: false, dynacast: false })
  // once more where a busy machine was too slow
  const joining = join().catch(() => join())
  await within('an attendant joins', joining, CONNECTED_WITHIN_MS)
  look()
  return Object.assign(attendant, {
    ...{ identity: room.localParticipant?.identity ?? '', sealed, used, asked },
    async leave() {
      sealed.close()
      await room.disconnect()
    },
  })
}

function counting(client: AtriumClient, asked: Map<string, number>): AtriumClient {
  const call = (id: string, ...rest: unknown[]) => {
    asked.set(id, (asked.get(id) ?? 0) + 1)
    return (client.call as (...given: unknown[]) => Promise<unknown>)(id, ...rest)
  }
  return { ...client, call: call as AtriumClient['call'] }
}
