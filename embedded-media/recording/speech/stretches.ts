import type { OrderedPacket } from '../in-order.ts'
import { durationOf } from './opus-duration.ts'

/** What one source said without a long pause: Opus without gaps. */
export interface Stretch {
  /** In milliseconds since the recording began. */
  fromMs: number
  toMs: number
  packets: { data: Uint8Array; ms: number }[]
}

/** How long a stretch gets. */
export interface StretchBounds {
  /** A longer pause ends it. */
  pauseMs: number
  /** It may end where it is quietest from here on … */
  cutFromMs: number
  /** … and is no longer than this. */
  longestMs: number
}

/** Of what is written down after a recording. */
const OF_RECORDINGS: StretchBounds = { pauseMs: 1_000, cutFromMs: 25_000, longestMs: 30_000 }
/** What is shorter on its own is comfort noise, which is sent now and then while nothing is said. */
const BURST_MS_MIN = 100
/** What follows within this is the same burst: a packet or two were lost. */
const LOST_MS = 60
/** Silence that is sent as sound takes next to nothing. */
const SILENT_BYTES_MEAN = 8
/** Opus has 510 kbit/s at most (RFC 6716, 2.1.1), and a few bytes around them. */
const BYTES_A_MS_MAX = 64
const BYTES_AROUND_MAX = 16
/** Opus of 20 milliseconds in which nothing is heard. */
const SILENCE = { data: Uint8Array.of(0xf8, 0xff, 0xfe), ms: 20 }

interface Placed {
  data: Uint8Array
  atMs: number
  ms: number
}

/**
 * Cuts the packets of one source where it paused, and long speech where it is quietest. Silence is left out between
 * stretches, and filled in within one.
 * @param timeOf an RTP time, in milliseconds since the recording began
 */
export async function* stretchesOf(
  packets: AsyncIterable<OrderedPacket>,
  timeOf: (rtp: number) => number,
  { pauseMs, cutFromMs, longestMs }: StretchBounds = OF_RECORDINGS,
): AsyncGenerator<Stretch> {
  const stretch: Placed[] = []
  let burst: Placed[] = []
  const endBurst = () => {
    if (isSpeech(burst)) stretch.push(...burst)
    burst = []
  }
  for await (const { payload, rtp } of packets) {
    const told = placedOf(payload, timeOf(rtp))
    const endMs = endOf(burst.length > 0 ? burst : stretch)
    if (!told || told.atMs < endMs - LOST_MS) continue
    // time goes on with every packet: a clock that stands still would fill the memory
    const placed = { ...told, atMs: Math.max(told.atMs, endMs) }
    if (placed.atMs - endOf(burst) > LOST_MS) endBurst()
    burst.push(placed)
    const begins = startOf(burst)
    const isApart = begins - endOf(stretch) > pauseMs
    if (isApart && isSpeech(burst)) yield* finished(stretch.splice(0))
    const began = isApart ? begins : Math.min(startOf(stretch), begins)
    if (endOf(burst) - began <= longestMs) continue
    const all = [...stretch.splice(0), ...burst]
    const cut = quietestOf(all, cutFromMs)
    yield* finished(all.slice(0, cut))
    burst = all.slice(cut)
  }
  endBurst()
  yield* finished(stretch)
}

/** Undefined for what is no Opus, has more bytes than it can fill, and what was sent before the film began. */
function placedOf(data: Uint8Array, atMs: number): Placed | undefined {
  const ms = durationOf(data) ?? 0
  if (ms === 0 || atMs < 0 || data.length > BYTES_A_MS_MAX * ms + BYTES_AROUND_MAX) return undefined
  return { data, atMs, ms }
}

function isSpeech(burst: readonly Placed[]): boolean {
  return endOf(burst) - startOf(burst) >= BURST_MS_MIN
}

function startOf(placed: readonly Placed[]): number {
  return placed[0]?.atMs ?? Number.POSITIVE_INFINITY
}

function endOf(placed: readonly Placed[]): number {
  const last = placed.at(-1)
  return last ? last.atMs + last.ms : Number.NEGATIVE_INFINITY
}

/** Where it is cut: the smallest packet towards its end, for loud ones need more bytes. */
function quietestOf(placed: readonly Placed[], cutFromMs: number): number {
  const from = (placed[0]?.atMs ?? 0) + cutFromMs
  let quietest = placed.length - 1
  for (const [index, { atMs, data }] of placed.entries())
    if (atMs >= from && data.length < (placed[quietest]?.data.length ?? 0)) quietest = index
  return Math.max(1, quietest)
}

function* finished(placed: readonly Placed[]): Generator<Stretch> {
  const [first] = placed
  if (!first) return
  const bytes = placed.reduce((sum, { data }) => sum + data.length, 0)
  if (bytes / placed.length < SILENT_BYTES_MEAN) return
  const packets: Stretch['packets'] = []
  let toMs = first.atMs
  for (const { data, atMs, ms } of placed) {
    for (; atMs - toMs >= SILENCE.ms; toMs += SILENCE.ms) packets.push(SILENCE)
    packets.push({ data, ms })
    toMs += ms
  }
  yield { fromMs: first.atMs, toMs, packets }
}
