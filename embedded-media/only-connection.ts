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

/**
 * What is sent to a client that has one connection for everything. The client makes the offers: where something is to
 * change it is asked for one, with as many sections as are lacking.
 */
export function openSending(send: (message: SignalAnswer) => void): Subscriber & Sending {
  const wanted = new Map<string, Wanted>()
  const data = openOutgoingData()
  const resent = new WeakSet<RTCRtpTransceiver>()
  let sections: readonly RTCRtpTransceiver[] = []
  // the first offer comes unasked
  let [isAsked, isChanged] = [true, false]

  const used = () => new Set([...wanted.values()].map(({ forwarding }) => forwarding?.transceiver))
  const freeOf = (kind: string) => {
    const taken = used()
    return sections.filter((one) => one.kind === kind && one.offerDirection === 'sendonly' && !taken.has(one))
  }
  const lackingOf = (kind: string) => {
    const waiting = [...wanted.values()].filter((one) => !one.forwarding && kindOf(one.publication) === kind)
    return Math.max(0, waiting.length - freeOf(kind).length)
  }
  const change = () => {
    isChanged = true
    if (isAsked) return
    isAsked = true
    const [numAudios = 0, numVideos = 0] = KINDS.map(lackingOf)
    const value = new MediaSectionsRequirement({ numAudios, numVideos })
    send({ case: 'mediaSectionsRequirement', value })
  }
  const placeOne = (one: Wanted) => {
    const [transceiver] = freeOf(kindOf(one.publication))
    if (!transceiver) return
    if (!resent.has(transceiver)) resendInMeasure(transceiver.sender)
    resent.add(transceiver)
    transceiver.setDirection('sendonly')
    one.forwarding = forward(one.publication, transceiver)
    if (one.chosen) one.forwarding.choose(one.chosen.quality, one.chosen.disabled)
  }
  const placed = () => [...wanted.values()].flatMap(({ forwarding }) => forwarding ?? [])

  return {
    place(pc: RTCPeerConnection) {
      sections = pc.getTransceivers()
      isChanged = false
      for (const one of wanted.values()) if (!one.forwarding) placeOne(one)
      return Object.fromEntries(
        placed().map(({ transceiver, publication }) => [transceiver.mid ?? '', publication.info.sid]),
      )
    },
    answered() {
      for (const forwarding of placed()) forwarding.open()
      isAsked = false
      const isLacking = [...wanted.values()].some(({ forwarding }) => !forwarding)
      if (isChanged || isLacking) change()
    },
    use: data.use,
    add(publication) {
      if (wanted.has(publication.info.sid)) return
      wanted.set(publication.info.sid, { publication, forwarding: undefined, chosen: undefined })
      change()
    },
    remove({ info: { sid } }) {
      const one = wanted.get(sid)
      if (!one) return
      wanted.delete(sid)
      one.forwarding?.stop()
      one.forwarding?.transceiver.setDirection('inactive')
      change()
    },
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
    loss: () => Math.max(0, ...placed().map((one) => one.loss())),
    async close() {
      for (const forwarding of placed()) forwarding.stop()
      wanted.clear()
    },
  }
}

function kindOf({ info }: Publication): (typeof KINDS)[number] {
  return info.type === 1 ? 'video' : 'audio'
}
