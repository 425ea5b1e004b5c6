import { SessionDescription } from '@livekit/protocol'
import type { RTCDataChannel, RTCPeerConnection, RTCRtpTransceiver } from 'werift'
import type { DataKind } from './data/outgoing-data.ts'
import { checkDescription, limitUnread } from './incoming-limits.ts'
import { allowBitrate, openPeer } from './peer.ts'
import { onHandshake } from './ports/handshakes.ts'
import type { SignalAnswer } from './signal.ts'

export interface PublisherOptions {
  address: string
  send(message: SignalAnswer): void
  onCandidate(candidate: object): void
  /** Media flows, or may. */
  onConnected(): void
  /** No way leads to the client any more, and it may not notice. */
  onFailed(): void
  onLost(): void
  /** After each description: what is received now, and what no longer is. */
  onNegotiated(transceivers: readonly RTCRtpTransceiver[]): void
  onData(kind: DataKind, packet: Buffer): void
  /** Sources that pictures come from. */
  sources(): number[]
  /** Of what the client sent: the connection is of no more use. */
  onBadInput(error: unknown): void
  /** What is sent on it besides, where it is the only connection. */
  sending?: Sending | undefined
}

/** What is sent on a connection by offers of the client. */
export interface Sending {
  /** Before an answer is made. @returns what is sent where: tracks by their section */
  place(pc: RTCPeerConnection): Record<string, string>
  /** The client has been sent the answer. */
  answered(): void
  use(kind: DataKind, channel: RTCDataChannel): void
}

/** The connection on which a client publishes: the client makes the offers. */
export interface Publisher {
  takeOffer(offer: SessionDescription): void
  takeCandidate(candidate: object): void
  close(): Promise<void>
}

const BITS_PER_SECOND = 3_000_000
/** At first often: a browser begins low. */
const ALLOW_OFTEN_MS = 100
const ALLOW_MS = 1_000
const OFTEN_TIMES = 50
/** A client waits for the answer before it makes the next. */
const OFFERS_WAITING_MAX = 8
/** It opens two or three. */
const CHANNELS_MAX = 8
const CHANNELS: Record<string, DataKind> = { _reliable: 'reliable', _lossy: 'lossy' }

export function openPublisher(options: PublisherOptions): Publisher {
  const { onBadInput } = options
  const pc = openPeer(options.address, 'publisher')
  let closed = false
  let work = Promise.resolve()
  let offersWaiting = 0
  const stopAllowing = keepAllowing(pc, options.sources)
  const stopFollowing = followPeer(pc, options)
  const enqueue = (step: () => Promise<void>) => {
    work = work.then(async () => {
      if (!closed) await step()
    })
    work = work.catch(onBadInput)
  }
  return {
    takeOffer(offer) {
      offersWaiting += 1
      if (offersWaiting > OFFERS_WAITING_MAX) return onBadInput(new Error('too many offers at once'))
      enqueue(async () => {
        offersWaiting -= 1
        await answer(pc, options, offer)
      })
    },
    takeCandidate: (candidate) => enqueue(() => pc.addIceCandidate(candidate)),
    async close() {
      closed = true
      stopAllowing()
      stopFollowing()
      await pc.close()
    },
  }
}

/** Tells the client how much it may send, again and again. @returns ends that */
function keepAllowing(pc: RTCPeerConnection, sourcesNow: () => number[]): () => void {
  let times = 0
  const allow = () => {
    const sources = sourcesNow()
    if (sources.length > 0) times += 1
    void allowBitrate(pc, { sources, bitsPerSecond: BITS_PER_SECOND }).catch(() => undefined)
    timer = setTimeout(allow, times < OFTEN_TIMES ? ALLOW_OFTEN_MS : ALLOW_MS)
  }
  let timer = setTimeout(allow, ALLOW_OFTEN_MS)
  return () => clearTimeout(timer)
}

/** @returns ends that */
function followPeer(pc: RTCPeerConnection, options: PublisherOptions): () => void {
  const { onCandidate, onConnected, onFailed, onLost, onBadInput } = options
  let closed = false
  let channels = 0
  pc.onIceCandidate.subscribe((candidate) => candidate && onCandidate(candidate.toJSON()))
  onHandshake(pc, () => closed || onConnected())
  pc.connectionStateChange.subscribe((state) => {
    if (closed) return
    if (state === 'failed') onFailed()
    if (state === 'failed' || state === 'closed') onLost()
  })
  pc.onDataChannel.subscribe((channel) => {
    channels += 1
    if (channels > CHANNELS_MAX) return onBadInput(new Error('too many data channels'))
    const kind = CHANNELS[channel.label]
    if (kind) options.sending?.use(kind, channel)
    if (kind) channel.onMessage.subscribe((data) => options.onData(kind, Buffer.from(data)))
  })
  const stopWatching = limitUnread(pc, onBadInput)
  return () => {
    closed = true
    stopWatching()
  }
}

async function answer(
  pc: RTCPeerConnection,
  { send, sending, onNegotiated }: PublisherOptions,
  { sdp, id }: SessionDescription,
): Promise<void> {
  checkDescription(sdp)
  await pc.setRemoteDescription({ type: 'offer', sdp })
  const midToTrackId = sending?.place(pc) ?? {}
  await pc.setLocalDescription(await pc.createAnswer())
  const described = pc.localDescription?.sdp ?? ''
  const value = new SessionDescription({ type: 'answer', sdp: described, id, midToTrackId })
  send({ case: 'answer', value })
  onNegotiated(pc.getTransceivers())
  sending?.answered()
}
