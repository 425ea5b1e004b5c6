/** What a text of so many bytes cost. */
export interface Sample {
  bytes: number
  /** Of the processor. */
  ms: number
}

export interface Bounds {
  /** How much more twice the size may cost. */
  ratioMax: number
  /** What costs less is too little to be judged by its ratio. */
  judgedFromMs: number
  /** What a request may cost whatever its size, and each kilobyte of it beside. */
  requestMs: number
  kilobyteMs: number
}

/**
 * Twice the dearest on the slowest machine seen: a directory's megabyte of many fields cost 105 ms there, 30 ms on a fast
 * one. A body of 256 kB, the largest of all others, costs 10 to 19 ms and may cost 61 ms.
 */
export const BOUNDS: Bounds = { ratioMax: 2.5, judgedFromMs: 5, requestMs: 10, kilobyteMs: 0.2 }

/** Why a reader costs too much; undefined where it does not. @param whole of twice the bytes of `half` */
export function judge(half: Sample, whole: Sample, bounds = BOUNDS): string | undefined {
  const most = mostMs(whole.bytes, bounds)
  if (whole.ms > most) return `${shown(whole)} where ${most.toFixed(0)} ms are allowed`
  if (whole.ms <= bounds.judgedFromMs) return undefined
  const ratio = ratioOf(half, whole)
  if (ratio <= bounds.ratioMax) return undefined
  return `${shown(half)}, ${shown(whole)}: ${ratio.toFixed(1)} times as much`
}

function mostMs(bytes: number, { requestMs, kilobyteMs }: Bounds): number {
  return requestMs + (kilobyteMs * bytes) / 1_024
}

export function ratioOf(half: Sample, whole: Sample): number {
  return half.ms > 0 ? whole.ms / half.ms : Number.POSITIVE_INFINITY
}

function shown({ bytes, ms }: Sample): string {
  return `${ms.toFixed(1)} ms for ${(bytes / 1_024).toFixed(0)} kB`
}

/** What is measured: one request with a text of so many bytes. @returns milliseconds of each part of the office */
export type Measure<Part extends string> = (bytes: number) => Promise<Record<Part, number>>

export interface Trial<Part extends string> {
  part: Part
  /** Undefined where all of it costs too little to be judged. */
  half: Sample | undefined
  whole: Sample
  /** Why it costs too much. */
  fault: string | undefined
}

/** What costs so much at a fraction of the size is judged there: at full size it would take minutes. */
const SOON_MS = 250
const CLIMB = [1 / 16, 1 / 4]
/** Smaller sizes are not climbed to. */
const CLIMB_FROM_BYTES = 4 * 1_024
/** From here on the memory of a text may cost a step: V8 keeps it elsewhere, PostgreSQL asks the system for it. */
const STEPS_FROM_BYTES = 64 * 1_024
const TRIES = 3
/** What seems to cost too much is tried so often again: a busy machine disturbs, a slow reader stays slow. */
const MORE_TRIES = 8

/**
 * Measures a reader at half and at all of a size, the best of three each, and judges every part of the office.
 * @param bytesMax the largest size that the place takes
 */
export async function tryReader<Part extends string>(
  measure: Measure<Part>,
  bytesMax: number,
  bounds = BOUNDS,
): Promise<Trial<Part>[]> {
  const bytes = await sizeToJudge(measure, bytesMax, bounds)
  const [half, whole] = [best(measure, Math.floor(bytes / 2)), best(measure, bytes)]
  await whole.look()
  const parts = Object.keys(whole.ms) as Part[]
  if (parts.every((part) => whole.ms[part] <= bounds.judgedFromMs))
    return parts.map((part) => ({ part, half: undefined, whole: whole.of(part), fault: undefined }))
  const trials = (): Trial<Part>[] =>
    parts.map((part) => {
      const [one, two] = [half.of(part), whole.of(part)]
      return { part, half: one, whole: two, fault: judge(one, two, bounds) }
    })
  await half.look()
  // found out on the way up: it is slow, and not disturbed
  if (bytes < bytesMax && total(whole.ms) >= SOON_MS) return trials()
  const lookAgain = async () => {
    await half.look()
    await whole.look()
  }
  for (let n = 1; n < TRIES; n += 1) await lookAgain()
  for (let n = 0; n < MORE_TRIES && trials().some(({ fault }) => fault); n += 1) await lookAgain()
  if (bytes < STEPS_FROM_BYTES || !trials().some(({ fault }) => fault)) return trials()
  const quarter = best(measure, Math.floor(bytes / 4))
  for (let n = 0; n < TRIES; n += 1) await quarter.look()
  return trials().map((trial) => ({ ...trial, fault: confirmed(trial, quarter.of(trial.part), bounds) }))
}

/**
 * A step doubles a cost once. What grows faster than its size does so from a quarter of it on.
 */
function confirmed<Part extends string>(
  { half, whole, fault }: Trial<Part>,
  quarter: Sample,
  bounds: Bounds,
): string | undefined {
  const isDear = whole.ms > mostMs(whole.bytes, bounds)
  if (isDear || half === undefined) return fault
  return ratioOf(quarter, whole) > bounds.ratioMax ** 2 ? fault : undefined
}

/**
 * All of it, or the fraction at which it costs too much already, be it that more is soon refused. The first request
 * compiles what it needs.
 */
async function sizeToJudge<Part extends string>(
  measure: Measure<Part>,
  bytesMax: number,
  bounds: Bounds,
): Promise<number> {
  const sizes = CLIMB.map((share) => Math.floor(bytesMax * share)).filter((size) => size >= CLIMB_FROM_BYTES)
  if (sizes.length === 0) await measure(Math.floor(bytesMax / 16))
  for (const size of sizes) {
    const isDear = async () => total(await measure(size)) > mostMs(size, bounds)
    // again: one disturbance must not keep a reader from its full size
    if ((await isDear()) && (await isDear()) && (await isDear())) return size
  }
  return bytesMax
}

/** The least that a size has cost so far. */
function best<Part extends string>(measure: Measure<Part>, bytes: number) {
  const ms = {} as Record<Part, number>
  return {
    ms,
    of: (part: Part): Sample => ({ bytes, ms: ms[part] }),
    async look() {
      for (const [part, now] of Object.entries(await measure(bytes)) as [Part, number][])
        ms[part] = Math.min(ms[part] ?? Number.POSITIVE_INFINITY, now)
    },
  }
}

function total(ms: Record<string, number>): number {
  return Object.values(ms).reduce((sum, one) => sum + one, 0)
}
