/** What flows in one direction at one moment. */
export interface WaySample {
  /** Of each track that is live and not muted: pictures or packets until now. */
  tracks: ReadonlyMap<string, number>
  /** Of all kinds that the server has sent on this way until now; undefined where the browser does not count them. */
  packets: number | undefined
}

export interface Sample {
  sending: WaySample
  receiving: WaySample
}

/** The server sends reports each second, whatever people do: where none comes either, the server is gone. */
export const SILENT_MS = 6_000
/** The way is there, but nothing flows on it: it may be the other's machine. */
export const STILL_MS = 20_000
/** The page itself stood still for so long: what it has not heard says nothing. */
const SLEPT_MS = 4_000
/** After one new beginning the next waits, longer each time, until all is well for a while. */
const PAUSES_MS = [10_000, 30_000, 60_000, 300_000]
const WELL_MS = 60_000

interface Way {
  last: WaySample
  heardAt: number
  flowedAt: number
}

/** @returns whether media stands still, so that a new connection is worth trying: asked about once a second */
export function createStandstill(): (now: number, sample: Sample) => boolean {
  let ways: Record<keyof Sample, Way | undefined> = { sending: undefined, receiving: undefined }
  let [lookedAt, begunAt, times] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, 0]
  const step = (now: number, name: keyof Sample, sample: WaySample): boolean => {
    const before = ways[name]
    const way = next(before, sample, now)
    ways[name] = way
    if (!way || !before) return false
    const isSilent = sample.packets !== undefined && now - way.heardAt >= SILENT_MS
    return isSilent || now - way.flowedAt >= STILL_MS
  }
  return (now, sample) => {
    const hasSlept = now - lookedAt > SLEPT_MS
    lookedAt = now
    if (hasSlept) ways = { sending: undefined, receiving: undefined }
    const stands = [step(now, 'sending', sample.sending), step(now, 'receiving', sample.receiving)]
    if (!stands.includes(true)) {
      if (now - begunAt > WELL_MS) times = 0
      return false
    }
    const pause = times === 0 ? 0 : (PAUSES_MS[Math.min(times, PAUSES_MS.length) - 1] ?? 0)
    if (now - begunAt < pause) return false
    begunAt = now
    times += 1
    ways = { sending: undefined, receiving: undefined }
    return true
  }
}

function next(before: Way | undefined, sample: WaySample, now: number): Way | undefined {
  if (sample.tracks.size === 0) return undefined
  if (!before) return { last: sample, heardAt: now, flowedAt: now }
  const isHeard = sample.packets !== before.last.packets
  // what is new has time to begin
  const flows = [...sample.tracks].some(([id, amount]) => before.last.tracks.get(id) !== amount)
  return {
    last: sample,
    heardAt: isHeard ? now : before.heardAt,
    flowedAt: flows ? now : before.flowedAt,
  }
}
