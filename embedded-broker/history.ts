import { randomBytes } from 'node:crypto'

export interface Publication {
  data: unknown
  offset?: number
  tags?: Record<string, string>
}

/** A place in a channel's stream. */
export interface Position {
  epoch: string
  offset: number
}

export interface Recovery {
  recovered: boolean
  publications: Publication[]
  /** Where the client stands after it has taken the publications' predecessors: its own offset, or the top. */
  position: Position
}

/** Publications make streams; reading makes none, however many channels are asked about. */
export interface Streams {
  /** The newest place of a channel. */
  top(channel: string): Position
  /** Appends and numbers. */
  append(channel: string, publication: Publication, limits: { size: number; ttlMs: number }): Publication
  /** What was missed since a place: all of it, or nothing. */
  recover(channel: string, since: { epoch: string; offset: number }): Recovery
  /**
   * Whether a publication of this version still has to go out; remembers it. Without an epoch of versions, or with
   * the former one, it must be newer than the last.
   */
  takeVersion(channel: string, version: number, versionEpoch: string): boolean
  /** Drops expired publications. Each call looks at a bounded number of channels; the next one goes on from there. */
  sweep(): void
  /** Channels that have a stream. */
  count(): number
}

interface Stream {
  epoch: string
  top: number
  kept: Publication[]
  keptUntil: number
  version: number
  versionEpoch: string
}

/** More missed than this is not made up for, however long the history. */
const RECOVERY_MAX = 300
/** Some 30 MB without their publications. Beyond, those longest without news are forgotten, a tenth at once. */
const STREAMS_MAX = 100_000
const SWEPT_AT_ONCE = 1_000
/** Each publication pays for the channel that it adds, and for one more: what is over never piles up. */
const SWEPT_BY_PUBLICATION = 2

/** All streams, for the functions below: both in the order of the last publication, the oldest first. */
interface Kept {
  readonly now: () => number
  readonly streamsMax: number
  readonly streams: Map<string, Stream>
  readonly keeping: Map<string, Stream>
  /** Of channels without a stream. */
  epoch: string
}

/**
 * The streams of all channels, in memory: gone with the process, and then every epoch is another one. Channels without
 * a stream share one epoch, in which each stands at its beginning; a stream is born in it. The shared epoch changes when
 * streams are forgotten, so that no place in a forgotten stream is taken for one in its successor.
 * @param now milliseconds of a clock that only goes forward
 */
export function makeStreams(now: () => number, streamsMax = STREAMS_MAX): Streams {
  const kept: Kept = { now, streamsMax, streams: new Map(), keeping: new Map(), epoch: newEpoch() }
  return {
    top: (channel) => positionOf(kept, channel),
    append(channel, publication, { size, ttlMs }) {
      const stream = streamForNews(kept, channel)
      if (stream.keptUntil <= now()) stream.kept = []
      stream.top += 1
      const numbered = { ...publication, offset: stream.top }
      stream.kept.push(numbered)
      if (stream.kept.length > size) stream.kept.shift()
      stream.keptUntil = now() + ttlMs
      putLast(kept.keeping, channel, stream)
      dropOver(kept, SWEPT_BY_PUBLICATION)
      return numbered
    },
    recover: (channel, since) => recover(kept, channel, since),
    takeVersion(channel, version, versionEpoch) {
      const stream = streamForNews(kept, channel)
      const comparable = versionEpoch === '' || versionEpoch === stream.versionEpoch
      if (comparable && version <= stream.version) return false
      stream.version = version
      if (versionEpoch !== '') stream.versionEpoch = versionEpoch
      return true
    },
    sweep: () => dropOver(kept, SWEPT_AT_ONCE),
    count: () => kept.streams.size,
  }
}

function recover(kept: Kept, channel: string, since: Position): Recovery {
  const top = positionOf(kept, channel)
  const stream = kept.streams.get(channel)
  const publications = stream && stream.keptUntil > kept.now() ? stream.kept : []
  const missed = top.offset - since.offset
  const sameLife = since.epoch === '' || since.epoch === top.epoch
  const recovered = sameLife && missed >= 0 && missed <= Math.min(publications.length, RECOVERY_MAX)
  if (!recovered) return { recovered, publications: [], position: top }
  return {
    recovered,
    publications: missed === 0 ? [] : publications.slice(-missed),
    position: { epoch: top.epoch, offset: since.offset },
  }
}

function positionOf({ streams, epoch }: Kept, channel: string): Position {
  const stream = streams.get(channel)
  return stream ? { epoch: stream.epoch, offset: stream.top } : { epoch, offset: 0 }
}

function streamForNews(kept: Kept, channel: string): Stream {
  const { streams, streamsMax } = kept
  const present = streams.get(channel)
  if (!present && streams.size >= streamsMax) forgetOldest(kept)
  const { epoch } = kept
  const stream = present ?? { epoch, top: 0, kept: [], keptUntil: 0, version: 0, versionEpoch: '' }
  putLast(streams, channel, stream)
  return stream
}

function forgetOldest(kept: Kept): void {
  let remaining = Math.ceil(kept.streamsMax / 10)
  for (const channel of kept.streams.keys()) {
    if (remaining-- === 0) break
    kept.streams.delete(channel)
    kept.keeping.delete(channel)
  }
  kept.epoch = newEpoch()
}

/** Drops what is over, of so many channels at most. */
function dropOver({ keeping, now }: Kept, most: number): void {
  let remaining = most
  for (const [channel, stream] of keeping) {
    if (stream.keptUntil > now() || remaining-- === 0) return
    stream.kept = []
    keeping.delete(channel)
  }
}

function newEpoch(): string {
  return randomBytes(6).toString('base64url')
}

function putLast<Value>(ordered: Map<string, Value>, key: string, value: Value): void {
  ordered.delete(key)
  ordered.set(key, value)
}
