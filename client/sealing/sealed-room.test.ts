import { afterEach, expect, it } from 'vitest'
import { newKeyPair, sealBox } from './boxes.ts'
import { decodeMessage, encodeMessage } from './messages.ts'
import type { SealingOffice, SentBox } from './places.ts'
import { createSealedRoom, type SealedRoom } from './sealed-room.ts'

const PATIENCE = { timeout: 15_000 }
const rooms: SealedRoom[] = []
afterEach(() => {
  for (const room of rooms.splice(0)) room.close()
})

/** Where boxes wait for their recipients. */
function memoryOffice() {
  let epoch = 0
  let boxes: SentBox[] = []
  const of = (own: string): SealingOffice => ({
    fetch: async () => ({
      epoch,
      box: boxes.find(({ deviceId, guestIdentity }) => (deviceId ?? guestIdentity) === own)?.box ?? null,
    }),
    async send(next, sent) {
      if (next !== epoch + 1) return false
      epoch = next
      boxes = sent
      return true
    },
    whoIsKnown: async (said) => [...said.keys()],
  })
  return {
    of,
    /** The last one has left. */
    end() {
      epoch = 0
      boxes = []
    },
  }
}

type Member = Awaited<ReturnType<typeof member>>

async function member(identity: string, office: SealingOffice, say: (payload: Uint8Array) => void) {
  const keys = await newKeyPair()
  const used: string[] = []
  const room = createSealedRoom({
    ...{ roomId: 'room', office, keys, deviceId: deviceOf(identity), say },
    useKey: (key) => void used.push(Buffer.from(key).toString('hex')),
  })
  rooms.push(room)
  return { identity, keys, room, used, say }
}

/** By one connection for each time at which they come. */
const insideSince = (identity: string, joinedAt: number) => ({
  ...{ identity, joinedAt },
  connection: `${identity} ${joinedAt}`,
})

const deviceOf = (identity: string) => `00000000-0000-4000-8000-${identity.padStart(12, '0')}`

/** Two clients who hear each other. @param meddle what an attacker makes of a packet */
async function pair(
  names: [string, string],
  offices: [SealingOffice, SealingOffice],
  meddle: (payload: Uint8Array, from: string) => Uint8Array | undefined = (same) => same,
): Promise<[Member, Member]> {
  const both: Member[] = []
  for (const [index, identity] of names.entries()) {
    const say = (payload: Uint8Array) => {
      const other = both.find((one) => one.identity !== identity)
      const arrived = meddle(payload, identity)
      if (arrived) queueMicrotask(() => other?.room.hear(identity, arrived))
    }
    both.push(await member(identity, offices[index] as SealingOffice, say))
  }
  const people = names.map(insideSince)
  for (const { room, identity } of both) room.setInside(people, identity)
  return both as [Member, Member]
}

const wordsOf = (members: readonly Member[]) => members.map(({ room }) => room.get().words)

it('two agree on a key and on words', async () => {
  const office = memoryOffice()
  const both = await pair(['1', '2'], [office.of(deviceOf('1')), office.of(deviceOf('2'))])
  await expect.poll(() => new Set(wordsOf(both)).size, PATIENCE).toBe(1)
  await expect.poll(() => wordsOf(both)[0], PATIENCE).toMatch(/^\w{5}( \w{5}){3}$/)
  expect(both[0].used).toEqual(both[1].used)
})

it('two who lost the line come to a key again, where the office counts from 1 again', async () => {
  const office = memoryOffice()
  const [ada, grace] = await pair(['1', '2'], [office.of(deviceOf('1')), office.of(deviceOf('2'))])
  await expect.poll(() => wordsOf([ada, grace]).every(Boolean), PATIENCE).toBe(true)
  const again = async (from: number) => {
    const before = ada.used.length
    ada.room.setInside([insideSince('1', from)], '1')
    await expect.poll(() => ada.used.length, PATIENCE).toBe(before + 1)
    const people = ['1', '2'].map((identity, index) => insideSince(identity, from + index))
    for (const { room, identity } of [ada, grace]) room.setInside(people, identity)
    await expect.poll(() => [ada, grace].map(({ room }) => room.get().epoch), PATIENCE).toEqual([2, 2])
    await expect.poll(() => ada.used.at(-1) === grace.used.at(-1), PATIENCE).toBe(true)
    await expect.poll(() => new Set(wordsOf([ada, grace])).size, PATIENCE).toBe(1)
    await expect.poll(() => ada.room.get().words, PATIENCE).toBeDefined()
    expect(ada.used.at(-1)).toBe(grace.used.at(-1))
  }
  for (const from of [10, 20]) {
    office.end()
    await again(from)
  }
})

it('a key that the office no longer has is followed by one for the same people', async () => {
  const office = memoryOffice()
  const [ofAda, { send: _, ...ofGuest }] = [office.of(deviceOf('1')), office.of('guest:2')]
  let lost = 0
  const losing: SealingOffice = {
    ...ofAda,
    async send(epoch, boxes) {
      const isFirst = (await ofAda.send?.(epoch, boxes)) ?? false
      if (boxes.length < 2 || lost > 0) return isFirst
      // the office learns late that those whom it knew to be inside had left before
      lost += 1
      office.end()
      return isFirst
    },
  }
  const both = await pair(['1', 'guest:2'], [losing, ofGuest])
  const keys = () => both.map(({ used }) => used.at(-1))
  await expect.poll(() => keys()[1], PATIENCE).toBeDefined()
  await expect.poll(() => keys()[0] === keys()[1], PATIENCE).toBe(true)
  await expect.poll(() => wordsOf(both)[0] !== undefined && new Set(wordsOf(both)).size, PATIENCE).toBe(1)
  expect(lost).toBe(1)
})

it('two keys of one number have words of their own, and commitments to the first open nothing of the second', async () => {
  const office = memoryOffice()
  const said: string[] = []
  const both = await pair(
    ['1', '2'],
    [office.of(deviceOf('1')), office.of(deviceOf('2'))],
    (payload, from) => {
      said.push(`${from} ${decodeMessage(payload)?.kind}`)
      return payload
    },
  )
  await expect.poll(() => wordsOf(both).every(Boolean), PATIENCE).toBe(true)
  const [before] = wordsOf(both)
  said.length = 0
  // it has lost the key, and counts anew
  office.end()
  for (const { room } of both) room.keySent()
  await expect.poll(() => both.map(({ used }) => used.length), PATIENCE).toEqual([2, 2])
  await expect.poll(() => wordsOf(both)[0] !== undefined && new Set(wordsOf(both)).size, PATIENCE).toBe(1)
  expect(both.map(({ room }) => room.get().epoch)).toEqual([1, 1])
  expect(wordsOf(both)[0]).not.toBe(before)
  const firstOpening = said.findIndex((one) => one.endsWith('opening'))
  const committed = said.slice(0, firstOpening).filter((one) => one.endsWith('commitment'))
  expect(new Set(committed)).toEqual(new Set(['1 commitment', '2 commitment']))
})

it('a client that comes back has no words before there is a key for that visit', async () => {
  const office = memoryOffice()
  let isCut = false
  const both = await pair(['1', '2'], [office.of(deviceOf('1')), office.of(deviceOf('2'))], (payload) =>
    isCut ? undefined : payload,
  )
  await expect.poll(() => wordsOf(both).every(Boolean), PATIENCE).toBe(true)
  const before = wordsOf(both)[0]
  isCut = true
  const people = [insideSince('1', 0), insideSince('2', 5)]
  both[1].room.setInside(people, '2')
  expect(wordsOf(both)).toEqual([before, undefined])
  isCut = false
  both[0].room.setInside(people, '1')
  await expect.poll(() => wordsOf(both)[1], PATIENCE).toBeDefined()
  await expect.poll(() => new Set(wordsOf(both)).size, PATIENCE).toBe(1)
  expect(wordsOf(both)[1]).not.toBe(before)
})

it('a connection that takes the place of another one is sealed nothing before it has said who it is', async () => {
  const office = memoryOffice()
  const both = await pair(['1', '2'], [office.of(deviceOf('1')), office.of(deviceOf('2'))])
  await expect.poll(() => wordsOf(both).every(Boolean), PATIENCE).toBe(true)
  const [ada, grace] = both
  const before = ada.used.at(-1)
  // under the same name, within one look at the room, and in the same second
  const people = [insideSince('1', 0), { ...insideSince('2', 1), connection: 'another' }]
  ada.room.setInside(people, '1')
  await expect.poll(() => ada.room.get().unsealed, PATIENCE).toEqual(['2'])
  await expect.poll(() => ada.used.at(-1) !== before, PATIENCE).toBe(true)
  grace.room.setInside(people, '2')
  await expect.poll(() => ada.room.get().unsealed, PATIENCE).toEqual([])
  await expect.poll(() => ada.used.at(-1) === grace.used.at(-1), PATIENCE).toBe(true)
  await expect.poll(() => new Set(wordsOf(both)).size, PATIENCE).toBe(1)
})

it('a key that nothing can be sealed to, and one that the office does not list, leave that client out alone', async () => {
  const office = memoryOffice()
  const refusing: SealingOffice = {
    ...office.of(deviceOf('1')),
    whoIsKnown: async (said) => [...said.keys()].filter((identity) => identity !== '4'),
  }
  const both = await pair(
    ['1', '2'],
    [refusing, { ...office.of(deviceOf('2')), whoIsKnown: refusing.whoIsKnown }],
  )
  const bad = { '3': Buffer.alloc(32).toString('base64url'), '4': (await newKeyPair()).publicKey }
  const people = ['1', '2', '3', '4'].map(insideSince)
  for (const { room, identity } of both) {
    room.setInside(people, identity)
    for (const [from, publicKey] of Object.entries(bad))
      room.hear(from, encodeMessage({ kind: 'hello', publicKey, visit: 'v'.repeat(22), asks: false }))
  }
  const stateOf = ({ room }: Member) => room.get()
  const left = { epoch: 1, words: expect.any(String), unsealed: ['3', '4'] }
  await expect.poll(() => both.map(stateOf), PATIENCE).toEqual([left, left])
  expect(both[0].room.get().words).toBe(both[1].room.get().words)
})

it('an office in the middle with keys of its own has everybody see other words', async () => {
  // each of the two is in a room with the office, which plays the other one there
  const [ofAda, ofGrace] = [memoryOffice(), memoryOffice()]
  const offices = (office: ReturnType<typeof memoryOffice>): [SealingOffice, SealingOffice] => [
    office.of(deviceOf('1')),
    office.of(deviceOf('2')),
  ]
  const [ada, graceForAda] = await pair(['1', '2'], offices(ofAda))
  const [adaForGrace, grace] = await pair(['1', '2'], offices(ofGrace))
  await expect.poll(() => wordsOf([ada, graceForAda, adaForGrace, grace]).every(Boolean), PATIENCE).toBe(true)
  expect(ada.room.get().words).toBe(graceForAda.room.get().words)
  expect(ada.room.get().words).not.toBe(grace.room.get().words)
})

it('a number that is no longer the one that was committed to makes no words', async () => {
  const office = memoryOffice()
  const other = Buffer.alloc(32, 1).toString('base64url')
  const both = await pair(
    ['1', '2'],
    [office.of(deviceOf('1')), office.of(deviceOf('2'))],
    (payload, from) => {
      const said = decodeMessage(payload)
      return said?.kind === 'opening' && from === '2' ? encodeMessage({ ...said, secret: other }) : payload
    },
  )
  await expect.poll(() => both[1].room.get().words, PATIENCE).toBeDefined()
  expect(both[0].room.get().words).toBeUndefined()
})

it('nobody tells their number before all have committed to theirs', async () => {
  const office = memoryOffice()
  const told: string[] = []
  const both = await pair(
    ['1', '2'],
    [office.of(deviceOf('1')), office.of(deviceOf('2'))],
    (payload, from) => {
      const kind = decodeMessage(payload)?.kind ?? ''
      told.push(`${from} ${kind}`)
      return kind === 'commitment' && from === '2' ? undefined : payload
    },
  )
  await expect.poll(() => told, PATIENCE).toContain('2 opening')
  expect(told).not.toContain('1 opening')
  expect(wordsOf(both)).toEqual([undefined, undefined])
})

it('a key that the office has sealed by itself is used by nobody, nor one for others too', async () => {
  const honest = memoryOffice()
  const stranger = await newKeyPair()
  let forged: string | undefined
  let fetched = 0
  const lying: SealingOffice = {
    ...honest.of(deviceOf('1')),
    fetch: async () => {
      fetched += 1
      return { epoch: 9, box: forged ?? null }
    },
    send: async () => false,
  }
  const [ada] = await pair(['1', '2'], [lying, lying])
  await expect.poll(() => ada.room.get().unsealed, PATIENCE).toEqual([])
  for (const sender of [stranger, ada.keys]) {
    forged = await sealBox(sender, ada.keys.publicKey, new Uint8Array(64), 'room 9')
    const before = fetched
    ada.room.keySent()
    await expect.poll(() => fetched, PATIENCE).toBeGreaterThan(before + 1)
  }
  expect(ada.used).toEqual([])
  expect(ada.room.get().epoch).toBe(0)
})

it('a key of before is used by none who had another since, though it was made for the same people', async () => {
  const honest = memoryOffice()
  const offices = ['1', '2'].map((identity) => honest.of(deviceOf(identity)))
  let kept: Awaited<ReturnType<SealingOffice['fetch']>> | undefined
  let isReplaying = false
  const replaying: SealingOffice = {
    ...(offices[1] as SealingOffice),
    async fetch() {
      const own = await (offices[1] as SealingOffice).fetch()
      if (own.box !== null) kept ??= own
      return isReplaying && kept ? kept : own
    },
  }
  const [ada, grace] = await pair(['1', '2'], [offices[0] as SealingOffice, replaying])
  const people = ['1', '2'].map(insideSince)
  await expect.poll(() => wordsOf([ada, grace]).every(Boolean), PATIENCE).toBe(true)
  const first = grace.used.at(-1)
  // a third one comes and leaves: it is the same two as before, with another key
  const third = await newKeyPair()
  for (const { room, identity } of [ada, grace]) {
    room.setInside([...people, insideSince('3', 3)], identity)
    const hello = { kind: 'hello', publicKey: third.publicKey, visit: 'v'.repeat(22), asks: false } as const
    room.hear('3', encodeMessage(hello))
  }
  const isAnother = (than: (string | undefined)[]) => () =>
    ada.used.at(-1) === grace.used.at(-1) && !than.includes(grace.used.at(-1))
  await expect.poll(isAnother([first]), PATIENCE).toBe(true)
  const second = grace.used.at(-1)
  for (const { room, identity } of [ada, grace]) room.setInside(people, identity)
  await expect.poll(isAnother([first, second]), PATIENCE).toBe(true)
  const before = grace.used.length
  isReplaying = true
  for (let time = 0; time < 3; time += 1) {
    grace.room.keySent()
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
  expect(grace.used.slice(before)).toEqual([])
})
