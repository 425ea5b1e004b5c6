import { type Room, RoomEvent } from 'livekit-client'
import type { ShownReaction } from '../call-state.ts'
import { type Hands, inOrder, NO_HANDS, raisedAt, withHand, withoutHand } from './hands.ts'
import { decodeSignal, encodeSignal, type Reaction, type RoomSignal } from './room-signal.ts'

const SHOWN_MS = 2_000
/** More at once is confetti, and work for the page. */
const SHOWN_MAX = 12
/** Whoever leans on the button says it once. */
const REACT_EVERY_MS = 300
/** Who was there may hear of somebody's coming later than of their question. */
const ASK_AGAIN_MS = 2_000
/** How a hand is by then. */
const SAY_TWICE_MS = 2_000
/** The way to the media server is away for a moment. */
const SAY_AGAIN_MS = 1_000
/** What the server says to all: it comes from nobody. */
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

/** @param now milliseconds by the office's clock @param changed told after each change */
export function createSignals(now: () => number, changed: (signalled: Signalled) => void): Signals {
  let room: Room | undefined
  let hands: Hands = NO_HANDS
  let reactions: readonly ShownReaction[] = []
  let ownSince: number | undefined
  let [reactedAt, count] = [Number.NEGATIVE_INFINITY, 0]

  const tell = () => changed({ hands: inOrder(hands), reactions })
  const setHands = (next: Hands) => {
    if (next === hands) return
    hands = next
    tell()
  }
  const say = async (signal: RoomSignal, to?: string) => {
    const { topic, payload } = encodeSignal(signal)
    const options = { reliable: true, topic, ...(to ? { destinationIdentities: [to] } : {}) }
    // who waits at the door has no way to say it, and the client would look for one in vain
    if (room?.localParticipant.permissions?.canPublishData === false) return
    await room?.localParticipant.publishData(payload, options)
  }
  /** Others would see another hand than oneself where it did not arrive: as it is by then, it is said again. */
  const sayHand = (to?: string) => {
    const saidIn = room
    const again = () => room === saidIn && sayHand(to)
    say({ topic: 'atrium.hand', raised: ownSince !== undefined, since: ownSince ?? 0 }, to).catch(() =>
      setTimeout(again, SAY_AGAIN_MS),
    )
  }
  const show = (identity: string, reaction: Reaction) => {
    count += 1
    const shown = { id: count, identity, reaction }
    reactions = [...reactions, shown].slice(-SHOWN_MAX)
    tell()
    setTimeout(() => {
      reactions = reactions.filter((one) => one !== shown)
      tell()
    }, SHOWN_MS)
  }
  const hear = (identity: string, signal: RoomSignal) => {
    if (signal.topic === 'atrium.reaction') return show(identity, signal.reaction)
    if (signal.topic === 'atrium.hands-asked') return ownSince !== undefined && sayHand(identity)
    setHands(signal.raised ? withHand(hands, identity, signal.since, now()) : withoutHand(hands, identity))
  }
  const lowerOwn = () => {
    ownSince = undefined
    setHands(withoutHand(hands, room?.localParticipant.identity ?? ''))
  }
  return {
    follow(next) {
      room = next
      hands = NO_HANDS
      next
        .on(RoomEvent.DataReceived, (payload, from, _kind, topic) => {
          if (room !== next) return
          if (!from && topic === HANDS_LOWERED) {
            lowerOwn()
            return setHands(NO_HANDS)
          }
          const signal = from && decodeSignal(topic, payload)
          if (signal) hear(from.identity, signal)
        })
        .on(RoomEvent.ParticipantConnected, ({ identity }) => {
          if (room === next && ownSince !== undefined) sayHand(identity)
        })
        .on(RoomEvent.ParticipantDisconnected, ({ identity }) => setHands(withoutHand(hands, identity)))
    },
    entered() {
      const asked = room
      const ask = () => room === asked && say({ topic: 'atrium.hands-asked' }).catch(() => {})
      void ask()
      setTimeout(ask, ASK_AGAIN_MS)
      if (ownSince === undefined || !room) return
      setHands(withHand(hands, room.localParticipant.identity, ownSince, now()))
      sayHand()
    },
    raise(on) {
      if (!room || on === (ownSince !== undefined)) return
      if (!on) lowerOwn()
      else {
        ownSince = raisedAt(hands, now())
        setHands(withHand(hands, room.localParticipant.identity, ownSince, now()))
      }
      sayHand()
      // a packet may be lost on the way to one of them, unnoticed
      const saidIn = room
      setTimeout(() => room === saidIn && sayHand(), SAY_TWICE_MS)
    },
    react(reaction) {
      if (!room || performance.now() - reactedAt < REACT_EVERY_MS) return
      reactedAt = performance.now()
      show(room.localParticipant.identity, reaction)
      say({ topic: 'atrium.reaction', reaction }).catch(() => {})
    },
    close() {
      room = undefined
      ownSince = undefined
    },
  }
}
