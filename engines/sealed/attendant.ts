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
import type { WebPerson } from '../web/people.ts'
import { type DataClient, joinWithData } from './data-client.ts'

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

export async function attend({ client }: WebPerson, roomId: string): Promise<Attendant> {
  const asked = new Map<string, number>()
  const counted = counting(client, asked)
  const deviceId = randomUUID()
  const keys = await newKeyPair()
  await counted.call('publishDevice', { deviceId, publicKey: keys.publicKey, name: 'Attendant' })
  const { url = '', token } = await counted.call('authorizeRoom', { roomId, username: 'Attendant' })
  const used: UsedKey[] = []
  const attendant = { said: 0 }
  let joined: DataClient | undefined
  const sealed = createSealedRoom({
    ...{ roomId, office: memberOffice(counted, roomId, deviceId), keys, deviceId },
    say(payload, to) {
      attendant.said += 1
      joined?.send(payload, SEALING_TOPIC, to)
    },
    useKey: (key, epoch) => void used.push({ key: Buffer.from(key).toString('hex'), epoch, at: Date.now() }),
  })
  const look = () => {
    if (joined === undefined) return
    const people = joined.people().map(({ identity, sid, joinedAt }) => {
      return { identity, connection: sid, joinedAt: Number(joinedAt) * 1_000 }
    })
    sealed.setInside(people, joined.identity)
  }
  joined = await joinWithData(url, token, {
    onPeople: look,
    onPacket(payload, topic, from) {
      if (from && topic === SEALING_TOPIC) sealed.hear(from, payload)
      if (!from && topic === ROOM_KEY) sealed.keySent()
    },
  })
  look()
  return Object.assign(attendant, {
    ...{ identity: joined.identity, sealed, used, asked },
    async leave() {
      sealed.close()
      joined.close()
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
