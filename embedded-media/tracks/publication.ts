import { type TrackInfo, TrackSource } from '@livekit/protocol'
import { type RTCRtpTransceiver, RTP_EXTENSION_URI, RtcpSrPacket, type RtpPacket } from 'werift'
import {
  type Arrivals,
  arrived,
  type Layer,
  type Layers,
  layerFor,
  liveLayers,
  takeArrivals,
} from './layers.ts'
import { askAgain, askOurselves } from './missing-packets.ts'
import { startsKeyframe } from './vp8.ts'
import { openWantedQuality, type WantedQuality } from './wanted-quality.ts'

/** A packet as it came in. Each forwarding sends a copy. */
export interface MediaPacket {
  rtp: RtpPacket
  /** Name of its simulcast layer; empty where there are none. */
  layer: string
  /** Whether a picture begins here that needs none before it, and is still to come. */
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

/** Asked twice in a row, nothing had come that should have: of what was just unmuted, nothing need have come yet. */
const STILL_FROM = 2
/** A screen on which nothing happens sends nothing either. */
const MAY_REST: readonly TrackSource[] = [TrackSource.SCREEN_SHARE, TrackSource.SCREEN_SHARE_AUDIO]

const KEYFRAME_EVERY_MS = 400
const SILENCE_DB = 127

/** A publication, for the functions below. */
interface Published {
  readonly info: TrackInfo
  readonly isVideo: boolean
  readonly layers: Layers
  readonly listeners: Set<Listener>
  readonly wanted: WantedQuality
  transceiver: RTCRtpTransceiver | undefined
  /** End what was bound. */
  stops: (() => void)[]
  loudestDb: number
  stillTimes: number
}

export function openPublication(
  info: TrackInfo,
  { publisherSid, onWanted }: PublicationOptions,
): Publication {
  const published: Published = {
    ...{ info, isVideo: info.type === 1, layers: new Map(), listeners: new Set() },
    wanted: openWantedQuality(onWanted),
    ...{ transceiver: undefined, stops: [], loudestDb: SILENCE_DB, stillTimes: 0 },
  }
  const { layers, listeners } = published
  reconsider(published)
  return {
    info,
    publisherSid,
    reconsider: () => reconsider(published),
    bind: (transceiver) => bind(published, transceiver),
    isBoundTo: (other) => published.transceiver === other,
    listen(listener) {
      listeners.add(listener)
      reconsider(published)
      return () => {
        if (listeners.delete(listener)) reconsider(published)
      }
    },
    layerFor: (quality) => layerFor(layers, quality),
    liveLayers: () => liveLayers(layers),
    askForKeyframe: (name) => askForKeyframe(published, name),
    sources: () => [...layers.values()].map(({ source }) => source),
    takeArrivals: () => takeWithStillness(published),
    takeLoudness() {
      const { loudestDb } = published
      published.loudestDb = SILENCE_DB
      return loudestDb >= SILENCE_DB || info.muted ? 0 : 10 ** (-loudestDb / 20)
    },
    close() {
      published.wanted.close()
      unbind(published)
      listeners.clear()
    },
  }
}

function bind(published: Published, next: RTCRtpTransceiver): void {
  unbind(published)
  published.transceiver = next
  askOurselves(next.receiver)
  published.stops = next.receiver.tracks.map((track) => {
    const { unSubscribe } = track.onReceiveRtp.subscribe((rtp, extensions) => {
      const level = extensions?.[RTP_EXTENSION_URI.audioLevelIndication] as { level?: number } | undefined
      if (level?.level !== undefined) published.loudestDb = Math.min(published.loudestDb, level.level)
      receive(published, rtp, track.rid ?? '')
    })
    return unSubscribe
  })
  const reports = next.receiver.onRtcp.subscribe((packet) => {
    if (packet instanceof RtcpSrPacket)
      for (const { takeClock } of published.listeners) takeClock?.(clockOf(packet))
  })
  published.stops.push(() => reports.unSubscribe())
}

function unbind({ stops }: Published): void {
  for (const stop of stops.splice(0)) stop()
}

function receive(published: Published, rtp: RtpPacket, name: string): void {
  const { isVideo, layers, listeners } = published
  const { ssrc, sequenceNumber } = rtp.header
  const layer = arrived(layers, name, ssrc, sequenceNumber)
  askForMissing(published, layer)
  // ours say everything that a subscriber needs
  rtp.header.extensions = []
  rtp.header.extension = false
  // behind one that comes late, the rest of the picture has passed already
  const isLate = sequenceNumber !== layer.highest
  const packet = { rtp, layer: name, startsPicture: isVideo && !isLate && startsKeyframe(rtp.payload) }
  for (const { take } of listeners) take(packet)
}

/** Of sound, what is late is of no use. */
function askForMissing({ isVideo, transceiver }: Published, { missing, source, lastAt }: Layer): void {
  const lost = isVideo ? missing.due(lastAt) : []
  if (lost.length > 0 && transceiver) askAgain(transceiver.receiver, source, lost)
}

function askForKeyframe({ layers, transceiver }: Published, name: string): void {
  const layer = layers.get(name)
  const now = performance.now()
  if (!layer || now - layer.askedAt < KEYFRAME_EVERY_MS) return
  layer.askedAt = now
  void transceiver?.receiver.sendRtcpPLI(layer.source)
}

function reconsider({ isVideo, listeners, wanted }: Published): void {
  if (!isVideo) return
  const qualities = [...listeners].flatMap((one) => one.wanted() ?? [])
  wanted.tell(qualities.length > 0 ? Math.max(...qualities) : undefined)
}

function takeWithStillness(published: Published): Arrivals & { isStill: boolean } {
  const { info, layers, wanted } = published
  const arrivals = takeArrivals(layers)
  const isAwaited =
    layers.size > 0 && !info.muted && wanted.told() !== undefined && !MAY_REST.includes(info.source)
  published.stillTimes = isAwaited && arrivals.received === 0 ? published.stillTimes + 1 : 0
  return { ...arrivals, isStill: published.stillTimes >= STILL_FROM }
}

/** NTP counts seconds in 32 bits, and fractions of them in 32 more; both since 1900, which is of no matter here. */
function clockOf({ ssrc, senderInfo }: RtcpSrPacket): SenderClock {
  const { ntpTimestamp, rtpTimestamp } = senderInfo
  const sent = Number(ntpTimestamp >> 32n) * 1_000 + Number(ntpTimestamp & 0xffffffffn) / (2 ** 32 / 1_000)
  return { source: ssrc, sent, rtp: rtpTimestamp }
}
