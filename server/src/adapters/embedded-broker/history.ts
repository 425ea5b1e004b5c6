import { randomBytes } from 'node:crypto'
import { HOUR_MS } from '../../platform/clock.ts'

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
  /** Lets go of what nobody can want any more. */
  sweep(isWanted: (channel: string) => boolean): void
}

interface Stream {
  epoch: string
  top: number
  kept: Publication[]
  keptUntil: number
  version: number
  versionEpoch: string
  touchedAt: number
}

/** More missed than this is not made up for, however long the history. */
const RECOVERY_MAX = 300
/** A channel without subscribers and news is forgotten, and begins a new epoch when it is asked for again. */
const FORGOTTEN_AFTER_MS = HOUR_MS

/**
 * The streams of all channels, in memory: gone with the process, and then every epoch is another one.
 * @param now milliseconds of a clock that only goes forward
 */
export function makeStreams(now: () => number): Streams {
  const streams = new Map<string, Stream>()

  const streamOf = (channel: string): Stream => {
    let stream = streams.get(channel)
    if (!stream) {
      stream = {
        epoch: randomBytes(6).toString('base64url'),
        top: 0,
        kept: [],
        keptUntil: 0,
        version: 0,
        versionEpoch: '',
        touchedAt: 0,
      }
      streams.set(channel, stream)
    }
    stream.touchedAt = now()
    if (stream.kept.length > 0 && stream.keptUntil <= stream.touchedAt) stream.kept = []
    return stream
  }
  const positionOf = ({ epoch, top }: Stream): Position => ({ epoch, offset: top })

  return {
    top: (channel) => positionOf(streamOf(channel)),
    append(channel, publication, { size, ttlMs }) {
      const stream = streamOf(channel)
      stream.top += 1
      const numbered = { ...publication, offset: stream.top }
      stream.kept.push(numbered)
      if (stream.kept.length > size) stream.kept.shift()
      stream.keptUntil = stream.touchedAt + ttlMs
      return numbered
    },
    recover(channel, since) {
      const stream = streamOf(channel)
      const missed = stream.top - since.offset
      const sameLife = since.epoch === '' || since.epoch === stream.epoch
      const recovered = sameLife && missed >= 0 && missed <= Math.min(stream.kept.length, RECOVERY_MAX)
      if (!recovered) return { recovered, publications: [], position: positionOf(stream) }
      return {
        recovered,
        publications: missed === 0 ? [] : stream.kept.slice(-missed),
        position: { epoch: stream.epoch, offset: since.offset },
      }
    },
    takeVersion(channel, version, versionEpoch) {
      const stream = streamOf(channel)
      const comparable = versionEpoch === '' || versionEpoch === stream.versionEpoch
      if (comparable && version <= stream.version) return false
      stream.version = version
      if (versionEpoch !== '') stream.versionEpoch = versionEpoch
      return true
    },
    sweep(isWanted) {
      for (const [channel, stream] of streams) {
        if (stream.kept.length > 0 && stream.keptUntil <= now()) stream.kept = []
        if (stream.touchedAt + FORGOTTEN_AFTER_MS <= now() && !isWanted(channel)) streams.delete(channel)
      }
    },
  }
}
