import { turnEnd } from './timer.ts'

/** What the event loop runs for: a request. It is told, and does not throw. */
export interface Holder {
  /** @param ms of the processor, without a pause: at least `HELD_MS` */
  onLoopHeld(ms: number): void
  /** How long the event loop has run for it, all stretches together. */
  loopMs: number
}

/** A stretch of so long is told: nothing else was answered meanwhile. */
export const HELD_MS = 50
/** The processor's time is asked for as rarely as this: a stretch is told longer than it was by no more. */
const SAMPLE_EVERY_MS = 10

let holder: Holder | undefined
let since = 0
let sampledAt = Number.NEGATIVE_INFINITY
let sampledCpu = 0
let isEndComing = false

/**
 * From here on the event loop runs for `next`, until it runs for another, `endStretch`, or the end of the turn. Called
 * where a request comes back to the loop: its head, its body, an answer of the database. Costs two looks at the clock.
 */
export function beginStretch(next: Holder, now = performance.now()): void {
  if (holder) judge(now)
  if (now - sampledAt >= SAMPLE_EVERY_MS) sample(now)
  holder = next
  since = now
  if (isEndComing) return
  isEndComing = true
  awaitTurnEnd()
}

/** The event loop no longer runs for `current`: it waits, or has answered. */
export function endStretch(current: Holder, now = performance.now()): void {
  if (holder !== current) return
  judge(now)
  holder = undefined
}

const awaitTurnEnd = turnEnd(
  () => {
    isEndComing = false
    if (holder) endStretch(holder)
  },
  (error) => process.emitWarning(error as Error),
)

/** By the processor's time: a machine that gives this process no processor makes no request a long one. */
function judge(now: number): void {
  const passed = now - since
  if (holder) holder.loopMs += passed
  if (passed < HELD_MS) return
  const before = sampledCpu
  sample(now)
  const ms = Math.min(passed, sampledCpu - before)
  if (ms >= HELD_MS) holder?.onLoopHeld(ms)
}

function sample(now: number): void {
  const { user, system } = process.threadCpuUsage()
  sampledAt = now
  sampledCpu = (user + system) / 1_000
}
