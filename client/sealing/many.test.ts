import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { AtriumError } from '../errors.ts'
import type { AtriumClient } from '../index.ts'
import { newKeyPair } from './boxes.ts'
import { memberOffice, type SentBox } from './places.ts'
import { createSealedRoom, type SealedRoom } from './sealed-room.ts'

/** As many as one process can be: each makes what in a room of forty is forty machines' work. */
const PEOPLE = 12
/** By the clock of the test. */
const WITHIN_MS = 20_000

interface Member {
  identity: string
  deviceId: string
  publicKey: string
  room: SealedRoom
  used: string[]
}

const everybody: Member[] = []
/** How much of WebCrypto is under way. */
let ciphering = 0

/** Time passes only where nothing else does: what a slow machine would repeat is not counted. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const subtle = crypto.subtle as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>
  for (const name of [
    'digest',
    'deriveBits',
    'encrypt',
    'decrypt',
    'generateKey',
    'importKey',
    'exportKey',
    'sign',
  ]) {
    const real = subtle[name]?.bind(subtle)
    vi.spyOn(subtle, name).mockImplementation(async (...given) => {
      ciphering += 1
      return await real?.(...given).finally(() => {
        ciphering -= 1
      })
    })
  }
})
afterEach(() => {
  for (const { room } of everybody.splice(0)) room.close()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

async function pass(ms: number): Promise<void> {
  vi.advanceTimersByTime(ms)
  for (let idle = 0; idle < 5; idle = ciphering === 0 ? idle + 1 : 0) await setImmediate()
}

async function until(is: () => boolean): Promise<void> {
  for (let passed = 0; !is(); passed += 5) {
    if (passed > WITHIN_MS) throw new Error('not within that time')
    await pass(5)
  }
}

/** An office that counts what it is asked, and people who hear each other. @param lineMs how long each packet is on its way */
function newCrowd(lineMs = 0) {
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
    const people = inside.map(({ identity }) => ({
      ...{ identity, connection: identity },
      joinedAt: Number(identity),
    }))
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
              const hear = () => one.room.hear(identity, payload)
              if (lineMs > 0) setTimeout(hear, lineMs)
              else queueMicrotask(hear)
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
    /** Everybody has one key, another one than before, and the same words, and none is left out. */
    async agree(before?: string): Promise<string> {
      await until(() => {
        const keys = new Set(inside.map(({ used }) => used.at(-1)))
        const words = new Set(inside.map(({ room }) => room.get().words))
        const isWhole = inside.every(({ room }) => room.get().unsealed.length === 0)
        return isWhole && keys.size === 1 && !keys.has(before) && words.size === 1 && !words.has(undefined)
      })
      return inside[0]?.used.at(-1) ?? ''
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
  let key = await crowd.agree()
  for (const change of ['leaves', 'comes'] as const) {
    // nothing is repeated any more
    await pass(10_000)
    crowd.forget()
    if (change === 'leaves') crowd.leave(LAST)
    else await crowd.enter(['100'])
    key = await crowd.agree(key)
    const { requests, boxes, heard } = crowd.counts
    const present = crowd.inside.length
    expect(boxes).toBe(present)
    expect(requests.get('sendRoomKey')).toBe(1)
    // its maker asks about all others, and where one comes each about them: with one question
    expect(requests.get('listDevices')).toBeLessThanOrEqual(change === 'leaves' ? 1 : present * 2)
    expect(requests.get('fetchRoomKey')).toBeLessThanOrEqual(present + 5)
    // a commitment and a number of each to all others, and again where one asks before there are words
    expect(heard).toBeLessThanOrEqual(present * (present - 1) * (change === 'leaves' ? 2 : 4) + present * 5)
  }
}, 60_000)

it('where packets are on their way for seconds, each asks those alone of whom it lacks a word', async () => {
  const crowd = newCrowd(4_000)
  await crowd.enter(identities)
  const key = await crowd.agree()
  await pass(20_000)
  crowd.forget()
  crowd.leave(LAST)
  await crowd.agree(key)
  await pass(20_000)
  const present = crowd.inside.length
  // a commitment and a number of each to all others, and until they come two questions with three answers each
  expect(crowd.counts.heard).toBeLessThanOrEqual(present * (present - 1) * 10)
}, 60_000)
