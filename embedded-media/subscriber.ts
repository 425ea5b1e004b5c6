import { SessionDescription } from '@livekit/protocol'
import { type DataKind, openOutgoingData } from './data/outgoing-data.ts'
import { checkDescription, limitUnread } from './incoming-limits.ts'
import { openPeer } from './peer.ts'
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
  const { address, send, onCandidate, onFault } = options
  const pc = openPeer(address, 'subscriber')
  const data = openOutgoingData()
  data.use('reliable', pc.createDataChannel('_reliable', { ordered: true }))
  data.use('lossy', pc.createDataChannel('_lossy', { ordered: false, maxRetransmits: 0 }))
  const forwardings = new Map<string, Forwarding>()
  let offered: Forwarding[] = []
  let [offerId, answeredId] = [0, 0]
  let [wanted, restarting, closed] = [false, false, false]
  let work = Promise.resolve()
  let watchdog: NodeJS.Timeout | undefined

  pc.onIceCandidate.subscribe((candidate) => candidate && onCandidate(candidate.toJSON()))
  pc.connectionStateChange.subscribe((state) => {
    if (closed) return
    if (state === 'connected') options.onConnected()
    if (state === 'failed') options.onSilent()
  })
  pc.onDataChannel.subscribe(() => onFault(new Error('data channels are opened by the server here')))
  const stopWatching = limitUnread(pc, onFault)
  /** The client takes no part in it: connections that it publishes on are all that it watches. */
  const watchHandshake = () => {
    const isOpen = () => pc.dtlsTransports[0]?.state === 'connected'
    if (isOpen()) return
    watchdog ??= setTimeout(() => {
      watchdog = undefined
      if (!closed && !isOpen()) options.onSilent()
    }, HANDSHAKE_WITHIN_MS)
  }
  const enqueue = (step: () => Promise<void>) => {
    work = work.then(async () => {
      if (!closed) await step()
    })
    work = work.catch(onFault)
  }
  const offer = async () => {
    if (!wanted || answeredId !== offerId) return
    wanted = false
    const iceRestart = restarting
    restarting = false
    // what comes meanwhile is of the next one
    offered = [...forwardings.values()]
    await pc.setLocalDescription(await pc.createOffer({ iceRestart }))
    offerId += 1
    const tracks = [...forwardings].map(([sid, { transceiver }]) => [transceiver.mid ?? '', sid])
    const value = new SessionDescription({
      type: 'offer',
      sdp: pc.localDescription?.sdp ?? '',
      id: offerId,
      midToTrackId: Object.fromEntries(tracks),
    })
    send({ case: 'offer', value })
  }
  const negotiate = () => {
    wanted = true
    enqueue(offer)
  }
  /** The library cannot stop one and offer again: those that rest are used again. */
  const transceiverFor = (kind: 'audio' | 'video') => {
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
  return {
    add(publication) {
      if (forwardings.has(publication.info.sid)) return
      const transceiver = transceiverFor(publication.info.type === 1 ? 'video' : 'audio')
      forwardings.set(publication.info.sid, forward(publication, transceiver))
      negotiate()
    },
    remove({ info: { sid } }) {
      const forwarding = forwardings.get(sid)
      if (!forwarding) return
      forwardings.delete(sid)
      forwarding.stop()
      forwarding.transceiver.setDirection('inactive')
      negotiate()
    },
    choose: (sid, quality, disabled) => forwardings.get(sid)?.choose(quality, disabled),
    negotiate,
    takeAnswer({ sdp, id }) {
      enqueue(async () => {
        // of an offer that was taken back
        if (answeredId === offerId || (id !== 0 && id !== offerId)) return
        checkDescription(sdp)
        await pc.setRemoteDescription({ type: 'answer', sdp })
        answeredId = offerId
        watchHandshake()
        for (const forwarding of offered) forwarding.open()
        await offer()
      })
    },
    takeCandidate: (candidate) => enqueue(() => pc.addIceCandidate(candidate)),
    restart() {
      enqueue(async () => {
        if (answeredId !== offerId) await pc.setLocalDescription({ type: 'rollback' })
        answeredId = offerId
        restarting = true
        wanted = true
        await offer()
      })
    },
    deliver: data.deliver,
    loss: () => Math.max(0, ...[...forwardings.values()].map((one) => one.loss())),
    async close() {
      closed = true
      clearTimeout(watchdog)
      for (const forwarding of forwardings.values()) forwarding.stop()
      forwardings.clear()
      stopWatching()
      await pc.close()
    },
  }
}
