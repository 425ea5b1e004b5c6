import type { TrackInfo } from '@livekit/protocol'
import { type RTCRtpTransceiver, RTP_EXTENSION_URI, type RtpPacket } from 'werift'

/** A packet as it came in. Whoever forwards it sends a copy. */
export interface MediaPacket {
  rtp: RtpPacket
  /** Name of its simulcast layer; empty where there are none. */
  layer: string
  /** Whether a picture begins here that needs none before it. */
  startsPicture: boolean
}

/** One track that somebody publishes. */
export interface Publication {
  readonly info: TrackInfo
  readonly publisherSid: string
  /** Takes what the transceiver receives, in the place of an earlier one. */
  bind(transceiver: RTCRtpTransceiver): void
  isBoundTo(transceiver: RTCRtpTransceiver): boolean
  listen(listener: (packet: MediaPacket) => void): () => void
  /** The best layer that arrives, of those up to the quality (0 to 2); undefined where none does. */
  layerFor(quality: number): string | undefined
  /** Asks the publisher for a picture that needs none before it; not again and again. */
  askForKeyframe(layer: string): void
  /** Sources of its layers. */
  sources(): number[]
  /** The loudest since the last time that it was asked, from 0 (silence) to 1. */
  takeLoudness(): number
  close(): void
}

interface Layer {
  source: number
  lastAt: number
  askedAt: number
}

/** By quality. */
const LAYER_NAMES = ['q', 'h', 'f']
const LAYER_LIVES_MS = 1_500
const KEYFRAME_EVERY_MS = 400
const SILENCE_DB = 127

export function openPublication(info: TrackInfo, publisherSid: string): Publication {
  const layers = new Map<string, Layer>()
  const listeners = new Set<(packet: MediaPacket) => void>()
  const isVideo = info.type === 1
  let transceiver: RTCRtpTransceiver | undefined
  let stops: (() => void)[] = []
  let loudestDb = SILENCE_DB

  const receive = (rtp: RtpPacket, name: string) => {
    const now = performance.now()
    const layer = layers.get(name)
    if (layer && layer.source === rtp.header.ssrc) layer.lastAt = now
    else layers.set(name, { source: rtp.header.ssrc, lastAt: now, askedAt: Number.NEGATIVE_INFINITY })
    // ours say everything that a subscriber needs
    rtp.header.extensions = []
    rtp.header.extension = false
    const packet = { rtp, layer: name, startsPicture: isVideo && startsKeyframe(rtp.payload) }
    for (const listener of listeners) listener(packet)
  }
  const stop = () => {
    for (const one of stops.splice(0)) one()
  }
  return {
    info,
    publisherSid,
    bind(next) {
      stop()
      transceiver = next
      stops = next.receiver.tracks.map((track) => {
        const { unSubscribe } = track.onReceiveRtp.subscribe((rtp, extensions) => {
          const level = extensions?.[RTP_EXTENSION_URI.audioLevelIndication] as { level?: number } | undefined
          if (level?.level !== undefined) loudestDb = Math.min(loudestDb, level.level)
          receive(rtp, track.rid ?? '')
        })
        return unSubscribe
      })
    },
    isBoundTo: (other) => transceiver === other,
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    layerFor(quality) {
      const since = performance.now() - LAYER_LIVES_MS
      const live = (name: string) => (layers.get(name)?.lastAt ?? 0) > since
      if (live('')) return ''
      const upTo = LAYER_NAMES.slice(0, quality + 1).findLast(live)
      return upTo ?? LAYER_NAMES.find(live)
    },
    askForKeyframe(name) {
      const layer = layers.get(name)
      const now = performance.now()
      if (!layer || now - layer.askedAt < KEYFRAME_EVERY_MS) return
      layer.askedAt = now
      void transceiver?.receiver.sendRtcpPLI(layer.source)
    },
    sources: () => [...layers.values()].map(({ source }) => source),
    takeLoudness() {
      const loudness = loudestDb >= SILENCE_DB || info.muted ? 0 : 10 ** (-loudestDb / 20)
      loudestDb = SILENCE_DB
      return loudness
    },
    close() {
      stop()
      listeners.clear()
    },
  }
}

/** VP8 (RFC 7741): the first partition of a frame begins here, and its first bit says that it stands by itself. */
function startsKeyframe(payload: Buffer): boolean {
  const first = payload[0] ?? 0
  const beginsFirstPartition = (first & 0x17) === 0x10
  if (!beginsFirstPartition) return false
  let at = 1
  if (first & 0x80) {
    const extension = payload[at] ?? 0
    at += 1
    if (extension & 0x80) at += (payload[at] ?? 0) & 0x80 ? 2 : 1
    if (extension & 0x40) at += 1
    if (extension & 0x30) at += 1
  }
  return at < payload.length && ((payload[at] ?? 1) & 1) === 0
}
