import { createStore, type Store } from '../store.ts'
import { createAgreement, type RoomKey } from './agreement.ts'
import { type KeyPair, openBox, sealBox } from './boxes.ts'
import { type Bytes, digestOf, randomBytes, toText } from './bytes.ts'
import { type Content, contentOf, marksOf, readContent, whoIsMarked } from './content.ts'
import { createEntrants, type PersonInside } from './entrants.ts'
import { decodeMessage, encodeMessage, type SealingMessage } from './messages.ts'
import { type Hello, isGuest, type SealingOffice } from './places.ts'
import { type Entrant, rosterOf } from './words.ts'
import { createWorkLoop, gathered, type WorkLoop } from './work-loop.ts'

export interface SealedRoomState {
  /** Of the key in use; 0: there is none yet, and nothing may be sent. */
  epoch: number
  /** Four words, the same for everybody who is sealed to, or undefined as long as they have not come to them. */
  words: string | undefined
  /** Identities of those inside whom the key is not for: they hear and see nothing. */
  unsealed: readonly string[]
}

export interface SealedRoomOptions {
  roomId: string
  office: SealingOffice
  keys: KeyPair
  /** Of a member; a guest has none. */
  deviceId?: string
  /**
   * Sends a packet of `SEALING_TOPIC`.
   * @param to identities inside; where not given, all others
   */
  say(payload: Bytes, to?: string[]): void
  /** Sound and pictures are sealed with this key from now on. Keys of before may still open what is on its way. */
  useKey(key: Bytes, epoch: number): void
  /** Told of each public key that gets the room's key, once the office has confirmed it. */
  onEntrant?(entrant: Entrant): void
}

/**
 * The key of a sealed room, as one client has it: the client that is inside longest makes it, a new one for each arrival and each departure,
 * and it is used as soon as its maker and this client agree on who is inside.
 */
export interface SealedRoom extends Store<SealedRoomState> {
  /** Everybody inside who may speak, whenever that changes. @param own oneself among them */
  setInside(people: readonly PersonInside[], own: string): void
  /** What came by `SEALING_TOPIC`. */
  hear(identity: string, payload: Uint8Array): void
  /** The office has told of a key, or may have. */
  keySent(): void
  close(): void
}

/** Several who come or leave together are one key. */
const GATHER_MS = 60
/** However many ask, they are answered together. */
const ANSWER_MS = 100
/** How long the one who is next waits for the one before. */
const NEXT_MAKER_MS = 600
const REPEAT_MS = 1_200
const REPEAT_MAX_MS = 6_000

interface Made extends Content {
  epoch: number
  sender: string
}

export function createSealedRoom(options: SealedRoomOptions): SealedRoom {
  const room = newSealing(options)
  const { store, agreement, entrants } = room
  const askers = new Set<string>()
  const answer = gathered(ANSWER_MS, () => answerAll(room, askers, loop))
  const loop = createWorkLoop({
    work: () => step(room, loop),
    repeat: () => askAgain(room),
    ...{ repeatMs: REPEAT_MS, repeatMaxMs: REPEAT_MAX_MS },
  })
  return {
    get: store.get,
    subscribe: store.subscribe,
    setInside(people, own) {
      const before = entrants.connectionOf(own)
      room.own = own
      if (!entrants.setInside(people)) return
      if (before !== entrants.connectionOf(own)) beginVisit(room)
      loop.begin()
    },
    hear(identity, payload) {
      const message = decodeMessage(payload)
      if (!message || identity === room.own || entrants.connectionOf(identity) === undefined) return
      if (message.kind !== 'hello') return void agreement.hear(identity, message)
      const isNew = entrants.announce(identity, message)
      if (message.asks) {
        askers.add(identity)
        answer.soon()
      }
      if (isNew) loop.begin()
    },
    keySent() {
      room.isStale = true
      loop.begin()
    },
    close() {
      loop.close()
      answer.close()
    },
  }
}

interface Sealing {
  options: SealedRoomOptions
  say(message: SealingMessage, to?: string[]): void
  /** What this client says of itself, of one visit. */
  hello: Omit<Hello, 'asks'>
  store: ReturnType<typeof createStore<SealedRoomState>>
  agreement: ReturnType<typeof createAgreement>
  entrants: ReturnType<typeof createEntrants>
  own: string
  /** Of all who were inside at the last look. */
  roster: string
  /** The office may have another key than the one that was read last. */
  isStale: boolean
  /** The office may list other keys than when it was asked. */
  isDoubtful: boolean
  /** It is this client's turn to make a key. */
  isDue: boolean
  /** The epoch that the office has begun last. */
  latest: number
  /** What the own box of that epoch holds. */
  made: Made | undefined
  /** In use. */
  current: RoomKey | undefined
  /** Digests of keys that were in use before: an office that plays one again finds none who uses it. */
  past: Set<string>
  told: Set<string>
}

function newSealing(options: SealedRoomOptions): Sealing {
  const say = (message: SealingMessage, to?: string[]) => options.say(encodeMessage(message), to)
  const store = createStore<SealedRoomState>({ epoch: 0, words: undefined, unsealed: [] })
  return {
    options,
    say,
    hello: helloOf(options),
    store,
    agreement: createAgreement(say, (words) => store.update((state) => ({ ...state, words }))),
    entrants: createEntrants(),
    own: '',
    roster: '',
    isStale: true,
    isDoubtful: false,
    isDue: false,
    latest: 0,
    made: undefined,
    current: undefined,
    past: new Set(),
    told: new Set(),
  }
}

function helloOf({ keys, deviceId }: SealedRoomOptions): Sealing['hello'] {
  const visit = toText(randomBytes(16))
  return { kind: 'hello', publicKey: keys.publicKey, visit, ...(deviceId ? { deviceId } : {}) }
}

/** Comes in, also after a lost connection: no key of a visit before is for this one, and the office may have ended them all. */
function beginVisit(room: Sealing): void {
  room.hello = helloOf(room.options)
  room.current = undefined
  room.isStale = true
  room.store.update((state) => ({ ...state, words: undefined }))
  room.entrants.announce(room.own, { ...room.hello, asks: false })
  sayHello(room, true)
}

/** @param asks the others shall say what they have */
function sayHello({ say, hello }: Sealing, asks: boolean, to?: string[]): void {
  say({ ...hello, asks }, to)
}

function answerAll(room: Sealing, askers: Set<string>, loop: Pick<WorkLoop, 'begin'>): void {
  const to = [...askers]
  askers.clear()
  sayHello(room, false, to)
  room.agreement.repeat(to)
  if (!isSettled(room)) return
  // others lack what this client has: it may be of a key before theirs, of which nothing has told it
  room.isStale = true
  loop.begin()
}

/**
 * Asks those of whom it lacks a word: what is late, and not lost, would else be said by all to all again.
 * @returns false: a client that lacks nothing any more is silent
 */
function askAgain(room: Sealing): boolean {
  if (isSettled(room)) return false
  room.isStale = true
  room.isDoubtful = true
  const lacking = new Set([...room.entrants.unknown(), ...room.agreement.lacking()])
  lacking.delete(room.own)
  if (lacking.size > 0) sayHello(room, true, [...lacking])
  // a member's turn to make a key comes; a guest waits for others, who may not have heard of this visit
  else if (!room.options.office.send && room.current?.roster !== room.roster) sayHello(room, true)
  return true
}

function isSettled({ current, roster, store, entrants }: Sealing): boolean {
  return current?.roster === roster && store.get().words !== undefined && entrants.unknown().length === 0
}

/** One look at everything: what it needs is read, and what can be done is done. Rejects where the office cannot be asked. */
async function step(room: Sealing, loop: Pick<WorkLoop, 'plan' | 'forget'>): Promise<void> {
  const { entrants, options } = room
  const whom = room.isDue || room.isDoubtful ? 'all' : 'unknown'
  const madeBefore = room.made
  // read beside it: a refusal of one is one of the step
  const [, looked] = await Promise.all([room.isStale && readKey(room), look(room, whom)])
  let known = looked
  room.isDoubtful = false
  // made for others than those whom this client knows: the office may have told its maker another thing
  if (room.made !== madeBefore && room.made?.roster !== room.roster) known = await look(room, 'all')
  const { roster } = room
  await adopt(room, roster, known)
  // not confirmed by the office yet oneself, or a guest
  const turn = entrants.turnOf(room.own)
  if (room.current?.roster === roster || !options.office.send || turn < 0) {
    room.isDue = false
    return loop.forget()
  }
  if (!room.isDue) {
    // who has just come has not heard yet who is before them: else each would make a key for themselves alone
    const before = turn + (room.current === undefined && entrants.isAfterOthers(room.own) ? 1 : 0)
    return loop.plan(GATHER_MS + before * NEXT_MAKER_MS, () => {
      room.isDue = true
    })
  }
  room.isDue = false
  // the one before may have been late, and not silent: what it has made saves sealing to everybody in vain
  if (turn > 0 || room.current === undefined) await readKey(room)
  if (!room.made || room.made.roster !== roster || room.past.has(await markOfKey(room.made.key)))
    await makeKey(room, roster, known)
  await adopt(room, roster, known)
}

/** @returns whom the next key, or the one that was made last, is for */
async function look(room: Sealing, whom: 'unknown' | 'all'): Promise<Entrant[]> {
  const { entrants, options, store } = room
  await entrants.check(options.office, whom)
  // the office tells guests nothing: a member has asked it, and says in the box whom the key is not for
  const leftOut = options.office.send ? [] : await whoIsMarked(entrants.known(), room.made?.leftOut ?? [])
  const known = entrants.known().filter(({ identity }) => !leftOut.includes(identity))
  tellEntrants(room, known)
  store.update((state) => ({ ...state, unsealed: [...entrants.unknown(), ...leftOut] }))
  room.roster = await rosterOf(options.roomId, known)
  return known
}

function tellEntrants({ options, own, told }: Sealing, known: readonly Entrant[]): void {
  for (const entrant of known) {
    const mark = `${entrant.identity} ${entrant.publicKey}`
    if (entrant.identity === own || told.has(mark)) continue
    told.add(mark)
    options.onEntrant?.(entrant)
  }
}

async function readKey(room: Sealing): Promise<void> {
  const { office, keys, roomId } = room.options
  room.isStale = false
  try {
    const { epoch, box } = await office.fetch()
    room.latest = epoch
    // it counts anew: a client that lacks the key in use would ask for it in vain
    if (room.current && epoch < room.current.number) room.current = undefined
    const opened = box === null ? undefined : await openBox(keys, box, aboutOf(roomId, epoch))
    const content = opened && readContent(opened.content)
    if (content) room.made = { epoch, sender: opened.sender, ...content }
  } catch (error) {
    room.isStale = true
    throw error
  }
}

/**
 * Uses the newest key if it was made by a member inside, for exactly those whom this client knows to be inside: one for
 * others too is none, however it came.
 */
async function adopt(room: Sealing, roster: string, known: readonly Entrant[]): Promise<void> {
  const { made, options, store } = room
  if (!made || made.roster !== roster) return
  if (!known.some(({ identity, publicKey }) => publicKey === made.sender && !isGuest(identity))) return
  if (room.current && isSameKey(room.current, made)) return
  const own = known.find(({ identity }) => identity === room.own)
  const mark = await markOfKey(made.key)
  if (!own || room.past.has(mark)) return
  room.past.add(mark)
  room.current = { number: made.epoch, key: made.key, roster, entrants: known }
  options.useKey(made.key, made.epoch)
  store.update((state) => ({ ...state, epoch: made.epoch }))
  await room.agreement.begin(room.current, own)
}

/** Of two keys the bytes tell: after a lost session another one may have the same number. */
function isSameKey(current: RoomKey, { epoch, roster, key }: Made): boolean {
  return current.number === epoch && current.roster === roster && toText(current.key) === toText(key)
}

async function markOfKey(key: Uint8Array): Promise<string> {
  return toText(await digestOf(['atrium used key', toText(key)]))
}

async function makeKey(room: Sealing, roster: string, known: readonly Entrant[]): Promise<void> {
  const { options, entrants } = room
  const { roomId, keys, office } = options
  const epoch = room.latest + 1
  const key = randomBytes(32)
  const leftOut = await marksOf(entrants.unknown())
  const content = contentOf({ key, roster, leftOut })
  const boxes = known.map(async (entrant) => ({
    ...entrants.recipientOf(entrant),
    box: await sealBox(keys, entrant.publicKey, content, aboutOf(roomId, epoch)),
  }))
  if (await office.send?.(epoch, await Promise.all(boxes))) {
    room.latest = epoch
    room.made = { epoch, sender: keys.publicKey, key, roster, leftOut }
  } else {
    await readKey(room)
  }
}

function aboutOf(roomId: string, epoch: number): string {
  return `${roomId} ${epoch}`
}
