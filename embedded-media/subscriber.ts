import type { SessionDescription } from '@livekit/protocol'
import type { RTCPeerConnection, RTCRtpTransceiver } from 'werift'
import { type DataKind, openOutgoingData } from './data/outgoing-data.ts'
import { limitUnread } from './incoming-limits.ts'
import { makeOffers } from './offers.ts'
import { openPeer } from './peer.ts'
import { onHandshake } from './ports/handshakes.ts'
import type { SignalAnswer } from './signal.ts'
import { type Forwarding, forward } from './tracks/forwarding.ts'
import { resendInMeasure } from './tracks/missing-packets.ts'
import type { Publication } from './tracks/publication.ts'

export interface SubscriberOptions {
  address: string
  send(message: SignalAnswer): void
  onCandidate(candidate: object): void
  /** Media flows, or may; more than once. */
  onConnected(): void
  onFault(error: unknown): void
  /**
   * The client has answered, and no way came about all the same, or the way has come to its end: nothing that is sent
   * reaches it, nor does it notice.
   */
  onSilent(): void
}

/** The connection on which a client receives: offers are made here, one at a time. */
export interface Subscriber {
  /** Sends a publication from now on. */
  add(publication: Publication): void
  remove(publication: Publication): void
  choose(trackSid: string, quality: number, disabled: boolean): void
  /** Makes an offer, now or when the last one is answered. */
  negotiate(): void
  takeAnswer(answer: SessionDescription): void
  takeCandidate(candidate: object): void
  /** After the client came back: what it had not answered is taken back, and paths are looked for again. */
  restart(): void
  /** What is said reliably before the way is open waits for it. */
  deliver(kind: DataKind, packet: Uint8Array): void
  /** The worst of what it sends: 0 to 1. */
  loss(): number
  close(): Promise<void>
}

/** From an answer to the end of the handshake: on a network that loses packets some seconds. */
const HANDSHAKE_WITHIN_MS = 12_000

export function openSubscriber(options: SubscriberOptions): Subscriber {
  const pc = openPeer(options.address, 'subscriber')
  const data = openOutgoingData()
  data.use('reliable', pc.createDataChannel('_reliable', { ordered: true }))
  data.use('lossy', pc.createDataChannel('_lossy', { ordered: false, maxRetransmits: 0 }))
  const forwardings = new Map<string, Forwarding>()
  const handshake = watchHandshake(pc, options.onSilent)
  const offers = makeOffers({ pc, forwardings, ...options, onAnswered: handshake.expect })
  const stopFollowing = followPeer(pc, options)
  return {
    add(publication) {
      if (forwardings.has(publication.info.sid)) return
      const transceiver = transceiverFor(pc, forwardings, publication.info.type === 1 ? 'video' : 'audio')
      forwardings.set(publication.info.sid, forward(publication, transceiver))
      offers.negotiate()
    },
    remove({ info: { sid } }) {
      const forwarding = forwardings.get(sid)
      if (!forwarding) return
      forwardings.delete(sid)
      forwarding.stop()
      forwarding.transceiver.setDirection('inactive')
      offers.negotiate()
    },
    choose: (sid, quality, disabled) => forwardings.get(sid)?.choose(quality, disabled),
    negotiate: offers.negotiate,
    takeAnswer: offers.takeAnswer,
    takeCandidate: offers.takeCandidate,
    restart: offers.restart,
    deliver: data.deliver,
    loss: () => Math.max(0, ...[...forwardings.values()].map((one) => one.loss())),
    async close() {
      offers.close()
      handshake.close()
      for (const forwarding of forwardings.values()) forwarding.stop()
      forwardings.clear()
      stopFollowing()
      await pc.close()
    },
  }
}

/** @returns ends that */
function followPeer(pc: RTCPeerConnection, options: SubscriberOptions): () => void {
  const { onCandidate, onConnected, onSilent, onFault } = options
  let closed = false
  pc.onIceCandidate.subscribe((candidate) => candidate && onCandidate(candidate.toJSON()))
  onHandshake(pc, () => closed || onConnected())
  pc.connectionStateChange.subscribe((state) => {
    if (closed) return
    if (state === 'failed') onSilent()
  })
  pc.onDataChannel.subscribe(() => onFault(new Error('data channels are opened by the server here')))
  const stopWatching = limitUnread(pc, onFault)
  return () => {
    closed = true
    stopWatching()
  }
}

/** The client takes no part in it: connections that it publishes on are all that it watches. */
function watchHandshake(pc: RTCPeerConnection, onSilent: () => void): { expect(): void; close(): void } {
  const isOpen = () => pc.dtlsTransports[0]?.state === 'connected'
  let closed = false
  let watchdog: NodeJS.Timeout | undefined
  return {
    expect() {
      if (closed || isOpen()) return
      watchdog ??= setTimeout(() => {
        watchdog = undefined
        if (!isOpen()) onSilent()
      }, HANDSHAKE_WITHIN_MS)
    },
    close() {
      closed = true
      clearTimeout(watchdog)
    },
  }
}

/** The library cannot stop one and offer again: those that rest are used again. */
function transceiverFor(
  pc: RTCPeerConnection,
  forwardings: ReadonlyMap<string, Forwarding>,
  kind: 'audio' | 'video',
): RTCRtpTransceiver {
  const used = new Set([...forwardings.values()].map(({ transceiver }) => transceiver))
  const resting = pc
    .getTransceivers()
    .find((one) => one.kind === kind && one.direction === 'inactive' && !used.has(one))
  resting?.setDirection('sendonly')
  if (resting) return resting
  const added = pc.addTransceiver(kind, { direction: 'sendonly' })
  resendInMeasure(added.sender)
  return added
}
