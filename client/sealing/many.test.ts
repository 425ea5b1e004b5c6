import { randomUUID } from 'node:crypto'
import { afterEach, expect, it } from 'vitest'
import { AtriumError } from '../errors.ts'
import type { AtriumClient } from '../index.ts'
import { newKeyPair } from './boxes.ts'
import { memberOffice, type SentBox } from './places.ts'
import { createSealedRoom, type SealedRoom } from './sealed-room.ts'

/** As many as one process can be: each makes what in a room of forty is forty machines' work. */
const PEOPLE = 12
const PATIENCE = { timeout: 60_000, interval: 20 }

interface Member {
  identity: string
  deviceId: string
  publicKey: string
  room: SealedRoom
  used: string[]
}

const everybody: Member[] = []
afterEach(() => {
  for (const { room } of everybody.splice(0)) room.close()
})

/** An office that counts what it is asked, and people who hear each other. */
function newCrowd() {
  let epoch = 0
  let boxes: readonly SentBox[] = []
  const counts = { requests: new Map<string, number>(), boxes: 0, heard: 0 }
  const inside: Member[] = []
  const operations: Record<string, (input: never) => unknown> = {
    listDevices: ({ userIds }: { userIds: string[] }) => ({
      devices: everybody
        .filter(({ identity }) => userIds.includes(identity))
        .map(({ identity, deviceId, publicKey }) => ({ userId: identity, deviceId, publicKey })),
    }),
    fetchRoomKey: ({ deviceId }: { deviceId: string }) => ({
      epoch,
      box: boxes.find((one) => one.deviceId === deviceId)?.box ?? null,
    }),
    sendRoomKey(sent: { epoch: number; boxes: SentBox[] }) {
      if (sent.epoch !== epoch + 1)
        throw new AtriumError('sendRoomKey', {
          ...{ status: 409, code: 409, message: 'Taken', error: 'epoch-taken' },
        })
      epoch = sent.epoch
      boxes = sent.boxes
      counts.boxes += boxes.length
      queueMicrotask(() => {
        for (const { room } of inside) room.keySent()
      })
    },
  }
  const call = async (id: string, input: never) => {
    counts.requests.set(id, (counts.requests.get(id) ?? 0) + 1)
    await new Promise((resolve) => setTimeout(resolve, 5))
    return operations[id]?.(input)
  }
  const tellInside = () => {
    const people = inside.map(({ identity }) => ({ identity, joinedAt: Number(identity) }))
    for (const { room, identity } of inside) room.setInside(people, identity)
  }
  return {
    counts,
    inside,
    async enter(identities: readonly string[]) {
      for (const identity of identities) {
        const [keys, deviceId] = [await newKeyPair(), randomUUID()]
        const used: string[] = []
        const room = createSealedRoom({
          ...{ roomId: 'room', keys, deviceId },
          office: memberOffice({ call } as unknown as AtriumClient, 'room', deviceId),
          say(payload, to) {
            for (const one of inside) {
              if (one.identity === identity || to?.includes(one.identity) === false) continue
              counts.heard += 1
              queueMicrotask(() => one.room.hear(identity, payload))
            }
          },
          useKey: (key) => void used.push(Buffer.from(key).toString('hex')),
        })
        const member = { identity, deviceId, publicKey: keys.publicKey, room, used }
        everybody.push(member)
        inside.push(member)
      }
      tellInside()
    },
    leave(identity: string) {
      const [gone] = inside.splice(
        inside.findIndex((one) => one.identity === identity),
        1,
      )
      gone?.room.close()
      tellInside()
    },
    /** Everybody has one key and the same words, and nobody is left out. */
    async agree(): Promise<string> {
      await expect
        .poll(() => {
          const keys = new Set(inside.map(({ used }) => used.at(-1)))
          const words = new Set(inside.map(({ room }) => room.get().words))
          const left = inside.flatMap(({ room }) => room.get().unsealed)
          return [keys.size, words.size, [...words][0] === undefined, left]
        }, PATIENCE)
        .toEqual([1, 1, false, []])
      return inside[0]?.used.at(-1) ?? ''
    },
    /** Nothing is under way any more. */
    async quiet() {
      for (let before = -1; before !== counts.heard; ) {
        before = counts.heard
        await new Promise((resolve) => setTimeout(resolve, 1_500))
      }
    },
    forget() {
      counts.requests.clear()
      Object.assign(counts, { boxes: 0, heard: 0 })
    },
  }
}

const identities = Array.from({ length: PEOPLE }, (_, place) => String(place + 1))
const LAST = String(PEOPLE)

it('where one of many comes or leaves there is one key, sealed to each, and few requests of each', async () => {
  const crowd = newCrowd()
  await crowd.enter(identities)
  await crowd.agree()
  for (const change of ['leaves', 'comes'] as const) {
    await crowd.quiet()
    crowd.forget()
    const before = await crowd.agree()
    if (change === 'leaves') crowd.leave(LAST)
    else await crowd.enter(['100'])
    await expect.poll(() => crowd.inside[0]?.used.at(-1) !== before, PATIENCE).toBe(true)
    await crowd.agree()
    const { requests, boxes, heard } = crowd.counts
    const present = crowd.inside.length
    expect(boxes).toBe(present)
    // of the next ones some try too, where the machine is busy
    expect(requests.get('sendRoomKey')).toBeLessThanOrEqual(3)
    // its maker asks about all others, and where one comes each about them: with one question
    expect(requests.get('listDevices')).toBeLessThanOrEqual(change === 'leaves' ? 3 : present * 2)
    expect(requests.get('fetchRoomKey')).toBeLessThanOrEqual(present * 2)
    // a commitment and a number of each to all others; who comes is answered alone
    expect(heard).toBeLessThanOrEqual(present * (present - 1) * 2 + present * 5)
  }
}, 60_000)
