import { MediaSectionsRequirement } from '@livekit/protocol'
import type { RTCPeerConnection, RTCRtpTransceiver } from 'werift'
import { openOutgoingData } from './data/outgoing-data.ts'
import type { Sending } from './publisher.ts'
import type { SignalAnswer } from './signal.ts'
import type { Subscriber } from './subscriber.ts'
import { type Forwarding, forward } from './tracks/forwarding.ts'
import { resendInMeasure } from './tracks/missing-packets.ts'
import type { Publication } from './tracks/publication.ts'

interface Wanted {
  publication: Publication
  /** Undefined until the client has offered a section for it. */
  forwarding: Forwarding | undefined
  chosen: { quality: number; disabled: boolean } | undefined
}

const KINDS = ['audio', 'video'] as const

/** What is to be sent on the only connection, for the functions below. */
interface Placing {
  readonly send: (message: SignalAnswer) => void
  /** By track. */
  readonly wanted: Map<string, Wanted>
  readonly resent: WeakSet<RTCRtpTransceiver>
  sections: readonly RTCRtpTransceiver[]
  isAsked: boolean
  isChanged: boolean
}

/**
 * What is sent to a client that has one connection for everything. The client makes the offers: where something is to
 * change it is asked for one, with as many sections as are lacking.
 */
export function openSending(send: (message: SignalAnswer) => void): Subscriber & Sending {
  const wanted: Placing['wanted'] = new Map()
  const data = openOutgoingData()
  // the first offer comes unasked
  const placing: Placing = {
    send,
    wanted,
    resent: new WeakSet(),
    sections: [],
    isAsked: true,
    isChanged: false,
  }
  return {
    place: (pc) => place(placing, pc),
    answered() {
      for (const forwarding of placed(placing)) forwarding.open()
      placing.isAsked = false
      const isLacking = [...wanted.values()].some(({ forwarding }) => !forwarding)
      if (placing.isChanged || isLacking) change(placing)
    },
    use: data.use,
    add(publication) {
      if (wanted.has(publication.info.sid)) return
      wanted.set(publication.info.sid, { publication, forwarding: undefined, chosen: undefined })
      change(placing)
    },
    remove: ({ info }) => withdraw(placing, info.sid),
    choose(sid, quality, disabled) {
      const one = wanted.get(sid)
      if (!one) return
      one.chosen = { quality, disabled }
      one.forwarding?.choose(quality, disabled)
    },
    // offers are the client's, after it came back too
    negotiate() {},
    takeAnswer() {},
    takeCandidate() {},
    restart() {},
    deliver: data.deliver,
    loss: () => Math.max(0, ...placed(placing).map((one) => one.loss())),
    async close() {
      for (const forwarding of placed(placing)) forwarding.stop()
      wanted.clear()
    },
  }
}

function place(placing: Placing, pc: RTCPeerConnection): Record<string, string> {
  placing.sections = pc.getTransceivers()
  placing.isChanged = false
  for (const one of placing.wanted.values()) if (!one.forwarding) placeOne(placing, one)
  return Object.fromEntries(
    placed(placing).map(({ transceiver, publication }) => [transceiver.mid ?? '', publication.info.sid]),
  )
}

function withdraw(placing: Placing, sid: string): void {
  const one = placing.wanted.get(sid)
  if (!one) return
  placing.wanted.delete(sid)
  one.forwarding?.stop()
  one.forwarding?.transceiver.setDirection('inactive')
  change(placing)
}

function placeOne(placing: Placing, one: Wanted): void {
  const [transceiver] = freeOf(placing, kindOf(one.publication))
  if (!transceiver) return
  if (!placing.resent.has(transceiver)) resendInMeasure(transceiver.sender)
  placing.resent.add(transceiver)
  transceiver.setDirection('sendonly')
  one.forwarding = forward(one.publication, transceiver)
  if (one.chosen) one.forwarding.choose(one.chosen.quality, one.chosen.disabled)
}

/** Asks for an offer, where none is asked for. */
function change(placing: Placing): void {
  placing.isChanged = true
  if (placing.isAsked) return
  placing.isAsked = true
  const [numAudios = 0, numVideos = 0] = KINDS.map((kind) => lackingOf(placing, kind))
  const value = new MediaSectionsRequirement({ numAudios, numVideos })
  placing.send({ case: 'mediaSectionsRequirement', value })
}

function lackingOf(placing: Placing, kind: string): number {
  const isWaiting = (one: Wanted) => !one.forwarding && kindOf(one.publication) === kind
  const waiting = [...placing.wanted.values()].filter(isWaiting)
  return Math.max(0, waiting.length - freeOf(placing, kind).length)
}

function freeOf(placing: Placing, kind: string): RTCRtpTransceiver[] {
  const taken = new Set(placed(placing).map(({ transceiver }) => transceiver))
  return placing.sections.filter(
    (one) => one.kind === kind && one.offerDirection === 'sendonly' && !taken.has(one),
  )
}

function placed({ wanted }: Placing): Forwarding[] {
  return [...wanted.values()].flatMap(({ forwarding }) => forwarding ?? [])
}

function kindOf({ info }: Publication): (typeof KINDS)[number] {
  return info.type === 1 ? 'video' : 'audio'
}
