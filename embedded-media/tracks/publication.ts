import { type TrackInfo, TrackSource } from '@livekit/protocol'
import { type RTCRtpTransceiver, RTP_EXTENSION_URI, RtcpSrPacket, type RtpPacket } from 'werift'
import { askAgain, askOurselves, type MissingPackets, openMissingPackets } from './missing-packets.ts'

/** A packet as it came in. Each forwarding sends a copy. */
export interface MediaPacket {
  rtp: RtpPacket
  /** Name of its simulcast layer; empty where there are none. */
  layer: string
  /** Whether a picture begins here that needs none before it. */
  startsPicture: boolean
}

export interface Listener {
  take(packet: MediaPacket): void
  /** The best quality that is of use, 0 to 2; undefined: none at the moment. */
  wanted(): number | undefined
  /** What the sender says of its clocks. */
  takeClock?(clock: SenderClock): void
}

/** One moment by two clocks: of the sender, in milliseconds, and of a source. */
export interface SenderClock {
  source: number
  sent: number
  rtp: number
}

export interface PublicationOptions {
  publisherSid: string
  /** The highest quality that a subscriber has wanted for a while; undefined: none is wanted. */
  onWanted(quality: number | undefined): void
}

/** One track that a participant publishes. */
export interface Publication {
  readonly info: TrackInfo
  readonly publisherSid: string
  /** Takes what the transceiver receives, in place of an earlier one. */
  bind(transceiver: RTCRtpTransceiver): void
  isBoundTo(transceiver: RTCRtpTransceiver): boolean
  listen(listener: Listener): () => void
  /** To be called where a listener wants another quality. */
  reconsider(): void
  /** The best layer that arrives, of those up to the quality (0 to 2); undefined where none does. */
  layerFor(quality: number): string | undefined
  /** All layers that arrive. */
  liveLayers(): string[]
  /** Asks the publisher for a picture that needs none before it; not again and again. */
  askForKeyframe(layer: string): void
  /** Sources of its layers. */
  sources(): number[]
  /** Packets since the last time that it was asked: how many should have come, and how many did. */
  takeArrivals(): Arrivals & { isStill: boolean }
  /** The loudest since the last time that it was asked, from 0 (silence) to 1. */
  takeLoudness(): number
  close(): void
}

export interface Arrivals {
  expected: number
  received: number
}

/** Asked twice in a row, nothing had come that should have: of what was just unmuted, nothing need have come yet. */
const STILL_FROM = 2
/** A screen on which nothing happens sends nothing either. */
const MAY_REST: readonly TrackSource[] = [TrackSource.SCREEN_SHARE, TrackSource.SCREEN_SHARE_AUDIO]

interface Layer extends Arrivals {
  highest: number
  source: number
  lastAt: number
  askedAt: number
  missing: MissingPackets
}

const BEST = 2
/** By quality. */
const LAYER_NAMES = ['q', 'h', 'f']
const LAYER_LIVES_MS = 1_500
const KEYFRAME_EVERY_MS = 400
const SILENCE_DB = 127
/** Less is told later than more: people scroll, and come back. */
const LESS_AFTER_MS = 5_000
const SEQUENCE_NUMBERS = 0x10000

export function openPublication(
  info: TrackInfo,
  { publisherSid, onWanted }: PublicationOptions,
): Publication {
  const layers = new Map<string, Layer>()
  const listeners = new Set<Listener>()
  const isVideo = info.type === 1
  let transceiver: RTCRtpTransceiver | undefined
  let stops: (() => void)[] = []
  let loudestDb = SILENCE_DB
  let told: number | undefined = BEST
  let less: NodeJS.Timeout | undefined
  let stillTimes = 0

  const receive = (rtp: RtpPacket, name: string) => {
    const now = performance.now()
    const { ssrc, sequenceNumber } = rtp.header
    const known = layers.get(name)
    const layer = known?.source === ssrc ? known : newLayer(ssrc, sequenceNumber)
    layers.set(name, layer)
    layer.lastAt = now
    count(layer, sequenceNumber)
    askForMissing(layer, now)
    // ours say everything that a subscriber needs
    rtp.header.extensions = []
    rtp.header.extension = false
    const packet = { rtp, layer: name, startsPicture: isVideo && startsKeyframe(rtp.payload) }
    for (const { take } of listeners) take(packet)
  }
  /** Of sound, what is late is of no use. */
  const askForMissing = ({ missing, source }: Layer, now: number) => {
    const lost = isVideo ? missing.due(now) : []
    if (lost.length > 0 && transceiver) askAgain(transceiver.receiver, source, lost)
  }
  const stop = () => {
    for (const one of stops.splice(0)) one()
  }
  const reconsider = () => {
    if (!isVideo) return
    const wanted = [...listeners].flatMap((one) => one.wanted() ?? [])
    const most = wanted.length > 0 ? Math.max(...wanted) : undefined
    clearTimeout(less)
    const tell = () => {
      told = most
      onWanted(most)
    }
    if ((most ?? -1) > (told ?? -1)) tell()
    else if (most !== told) less = setTimeout(tell, LESS_AFTER_MS)
  }
  const liveLayers = () => {
    const since = performance.now() - LAYER_LIVES_MS
    return [...layers].filter(([, { lastAt }]) => lastAt > since).map(([name]) => name)
  }
  reconsider()
  return {
    info,
    publisherSid,
    reconsider,
    bind(next) {
      stop()
      transceiver = next
      askOurselves(next.receiver)
      stops = next.receiver.tracks.map((track) => {
        const { unSubscribe } = track.onReceiveRtp.subscribe((rtp, extensions) => {
          const level = extensions?.[RTP_EXTENSION_URI.audioLevelIndication] as { level?: number } | undefined
          if (level?.level !== undefined) loudestDb = Math.min(loudestDb, level.level)
          receive(rtp, track.rid ?? '')
        })
        return unSubscribe
      })
      const reports = next.receiver.onRtcp.subscribe((packet) => {
        if (packet instanceof RtcpSrPacket)
          for (const { takeClock } of listeners) takeClock?.(clockOf(packet))
      })
      stops.push(() => reports.unSubscribe())
    },
    isBoundTo: (other) => transceiver === other,
    listen(listener) {
      listeners.add(listener)
      reconsider()
      return () => {
        if (listeners.delete(listener)) reconsider()
      }
    },
    layerFor(quality) {
      const live = new Set(liveLayers())
      if (live.has('')) return ''
      const upTo = LAYER_NAMES.slice(0, quality + 1).findLast((name) => live.has(name))
      return upTo ?? LAYER_NAMES.find((name) => live.has(name))
    },
    liveLayers,
    askForKeyframe(name) {
      const layer = layers.get(name)
      const now = performance.now()
      if (!layer || now - layer.askedAt < KEYFRAME_EVERY_MS) return
      layer.askedAt = now
      void transceiver?.receiver.sendRtcpPLI(layer.source)
    },
    sources: () => [...layers.values()].map(({ source }) => source),
    takeArrivals() {
      const sum = { expected: 0, received: 0 }
      for (const layer of layers.values()) {
        sum.expected += layer.expected
        sum.received += layer.received
        layer.expected = 0
        layer.received = 0
      }
      const isAwaited =
        layers.size > 0 && !info.muted && told !== undefined && !MAY_REST.includes(info.source)
      stillTimes = isAwaited && sum.received === 0 ? stillTimes + 1 : 0
      return { ...sum, isStill: stillTimes >= STILL_FROM }
    },
    takeLoudness() {
      const loudness = loudestDb >= SILENCE_DB || info.muted ? 0 : 10 ** (-loudestDb / 20)
      loudestDb = SILENCE_DB
      return loudness
    },
    close() {
      clearTimeout(less)
      stop()
      listeners.clear()
    },
  }
}

/** NTP counts seconds in 32 bits, and fractions of them in 32 more; both since 1900, which is of no matter here. */
function clockOf({ ssrc, senderInfo }: RtcpSrPacket): SenderClock {
  const { ntpTimestamp, rtpTimestamp } = senderInfo
  const sent = Number(ntpTimestamp >> 32n) * 1_000 + Number(ntpTimestamp & 0xffffffffn) / (2 ** 32 / 1_000)
  return { source: ssrc, sent, rtp: rtpTimestamp }
}

function newLayer(source: number, sequenceNumber: number): Layer {
  const highest = (sequenceNumber - 1 + SEQUENCE_NUMBERS) % SEQUENCE_NUMBERS
  const nothing = { lastAt: 0, askedAt: Number.NEGATIVE_INFINITY, expected: 0, received: 0 }
  return { source, highest, missing: openMissingPackets(), ...nothing }
}

function count(layer: Layer, sequenceNumber: number): void {
  layer.received += 1
  const ahead = (sequenceNumber - layer.highest + SEQUENCE_NUMBERS) % SEQUENCE_NUMBERS
  const isLate = ahead === 0 || ahead >= SEQUENCE_NUMBERS / 2
  layer.missing.arrived(sequenceNumber, isLate ? 0 : ahead)
  // late ones were expected before
  if (isLate) return
  layer.expected += ahead
  layer.highest = sequenceNumber
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
