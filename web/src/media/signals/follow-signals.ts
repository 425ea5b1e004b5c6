import { type Room, RoomEvent } from 'livekit-client'
import type { ShownReaction } from '../call-state.ts'
import { sendPacket } from '../send-packet.ts'
import { type Hands, inOrder, NO_HANDS, raisedAt, withHand, withoutHand } from './hands.ts'
import { decodeSignal, encodeSignal, type Reaction, type RoomSignal } from './room-signal.ts'

const SHOWN_MS = 2_000
/** More at once is confetti, and work for the page. */
const SHOWN_MAX = 12
/** A held button says it once. */
const REACT_EVERY_MS = 300
/** Who was there may hear of a newcomer later than of their question. */
const ASK_AGAIN_MS = 2_000
/** How a hand is by then. */
const SAY_TWICE_MS = 2_000
/** The way to the media server is away for a moment. */
const SAY_AGAIN_MS = 1_000
/** What the server says to all: it has no sender. */
const HANDS_LOWERED = 'hands-lowered'

export interface Signalled {
  hands: readonly string[]
  reactions: readonly ShownReaction[]
}

/** Hands and reactions of a room, over one connection after the other. */
export interface Signals {
  /** Listens; a hand that was up before is shown to those who are there. */
  follow(room: Room): void
  /** To be called once the connection stands, and where its rights have changed. */
  entered(): void
  raise(on: boolean): void
  react(reaction: Reaction): void
  close(): void
}

/** The hands and reactions of a room, for the functions below. */
interface Signalling {
  /** Milliseconds by the office's clock. */
  now(): number
  changed(signalled: Signalled): void
  room: Room | undefined
  hands: Hands
  reactions: readonly ShownReaction[]
  /** Since when the own hand is up. */
  ownSince: number | undefined
  reactedAt: number
  /** How many reactions have been shown. */
  count: number
}

/** @param now milliseconds by the office's clock @param changed told after each change */
export function createSignals(now: () => number, changed: (signalled: Signalled) => void): Signals {
  const signals: Signalling = {
    ...{ now, changed, room: undefined, hands: NO_HANDS, reactions: [] },
    ...{ ownSince: undefined, reactedAt: Number.NEGATIVE_INFINITY, count: 0 },
  }
  return {
    follow: (room) => follow(signals, room),
    entered: () => entered(signals),
    raise: (on) => raise(signals, on),
    react(reaction) {
      const { room, reactedAt } = signals
      if (!room || performance.now() - reactedAt < REACT_EVERY_MS) return
      signals.reactedAt = performance.now()
      show(signals, room.localParticipant.identity, reaction)
      say(signals, { topic: 'atrium.reaction', reaction }).catch(() => {})
    },
    close() {
      signals.room = undefined
      signals.ownSince = undefined
    },
  }
}

function follow(signals: Signalling, room: Room): void {
  signals.room = room
  signals.hands = NO_HANDS
  room
    .on(RoomEvent.DataReceived, (payload, from, _kind, topic) => {
      if (signals.room !== room) return
      if (!from && topic === HANDS_LOWERED) {
        lowerOwn(signals)
        setHands(signals, NO_HANDS)
        return
      }
      const signal = from && decodeSignal(topic, payload)
      if (signal) hear(signals, from.identity, signal)
    })
    .on(RoomEvent.ParticipantConnected, ({ identity }) => {
      if (signals.room === room && signals.ownSince !== undefined) sayHand(signals, identity)
    })
    .on(RoomEvent.ParticipantDisconnected, ({ identity }) =>
      setHands(signals, withoutHand(signals.hands, identity)),
    )
}

/** Asks for the hands of those who are there, and shows its own again. */
function entered(signals: Signalling): void {
  const { room, ownSince } = signals
  const ask = () => signals.room === room && say(signals, { topic: 'atrium.hands-asked' }).catch(() => {})
  void ask()
  setTimeout(ask, ASK_AGAIN_MS)
  if (ownSince === undefined || !room) return
  showOwn(signals, room, ownSince)
  sayHand(signals)
}

function raise(signals: Signalling, on: boolean): void {
  const { room, hands, ownSince } = signals
  if (!room || on === (ownSince !== undefined)) return
  if (on) {
    signals.ownSince = raisedAt(hands, signals.now())
    showOwn(signals, room, signals.ownSince)
  } else lowerOwn(signals)
  sayHand(signals)
  // a packet may be lost on the way to one of them, unnoticed
  setTimeout(() => signals.room === room && sayHand(signals), SAY_TWICE_MS)
}

function showOwn(signals: Signalling, { localParticipant }: Room, since: number): void {
  setHands(signals, withHand(signals.hands, localParticipant.identity, since, signals.now()))
}

function lowerOwn(signals: Signalling): void {
  signals.ownSince = undefined
  setHands(signals, withoutHand(signals.hands, signals.room?.localParticipant.identity ?? ''))
}

function hear(signals: Signalling, identity: string, signal: RoomSignal): void {
  const { hands, ownSince, now } = signals
  if (signal.topic === 'atrium.reaction') show(signals, identity, signal.reaction)
  else if (signal.topic !== 'atrium.hands-asked')
    setHands(
      signals,
      signal.raised ? withHand(hands, identity, signal.since, now()) : withoutHand(hands, identity),
    )
  else if (ownSince !== undefined) sayHand(signals, identity)
}

function show(signals: Signalling, identity: string, reaction: Reaction): void {
  signals.count += 1
  const shown = { id: signals.count, identity, reaction }
  signals.reactions = [...signals.reactions, shown].slice(-SHOWN_MAX)
  tell(signals)
  setTimeout(() => {
    signals.reactions = signals.reactions.filter((one) => one !== shown)
    tell(signals)
  }, SHOWN_MS)
}

/** Others would see another hand than oneself where it did not arrive: as it is by then, it is said again. */
function sayHand(signals: Signalling, to?: string): void {
  const { room, ownSince } = signals
  const again = () => signals.room === room && sayHand(signals, to)
  const signal = { topic: 'atrium.hand', raised: ownSince !== undefined, since: ownSince ?? 0 } as const
  say(signals, signal, to).catch(() => setTimeout(again, SAY_AGAIN_MS))
}

async function say({ room }: Signalling, signal: RoomSignal, to?: string): Promise<void> {
  const { topic, payload } = encodeSignal(signal)
  const options = { reliable: true, topic, ...(to ? { destinationIdentities: [to] } : {}) }
  // who waits at the door has no way to say it, and the client would look for one in vain
  if (!room || room.localParticipant.permissions?.canPublishData === false) return
  await sendPacket(room, payload, options)
}

function setHands(signals: Signalling, hands: Hands): void {
  if (hands === signals.hands) return
  signals.hands = hands
  tell(signals)
}

function tell({ changed, hands, reactions }: Signalling): void {
  changed({ hands: inOrder(hands), reactions })
}
