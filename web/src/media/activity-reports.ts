import type { CallState, SaidActivity } from './call-state.ts'

const AT_MOST_EVERY_MS = 1_000
/** The office forgets what is not said again. */
const AGAIN_MS = 5_000

/** Says how one is in a room: when it changes, and again and again, as long as one is inside. */
export interface ActivityReports {
  look(state: CallState): void
  stop(): void
}

/** @param tell may reject: it is said again soon, and ever less often while it is refused */
export function createActivityReports(tell: (said: SaidActivity) => Promise<unknown>): ActivityReports {
  let said: SaidActivity | undefined
  let [saidAt, now] = [Number.NEGATIVE_INFINITY, undefined as SaidActivity | undefined]
  let refusals = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const say = () => {
    timer = undefined
    if (!now) return
    said = now
    saidAt = performance.now()
    tell(now).then(
      () => answered(0),
      () => answered(refusals + 1),
    )
    plan()
  }
  const answered = (refused: number) => {
    if (!now) return
    refusals = refused
    plan()
  }
  const plan = () => {
    const pause = isSame(said, now) ? pauseAfter(refusals) : AT_MOST_EVERY_MS
    clearTimeout(timer)
    timer = setTimeout(say, Math.max(0, saidAt + pause - performance.now()))
  }
  const stop = () => {
    clearTimeout(timer)
    refusals = 0
    ;[said, now, timer] = [undefined, undefined, undefined]
  }
  return {
    look(state) {
      const next = activityOf(state)
      if (!next) return stop()
      const isNew = !isSame(now, next)
      now = next
      if (isNew) plan()
    },
    stop,
  }
}

/** The office refuses what it hears before the media server has told it of a person who came in. */
function pauseAfter(refusals: number): number {
  return refusals === 0 ? AGAIN_MS : Math.min(AGAIN_MS, AT_MOST_EVERY_MS * 2 ** (refusals - 1))
}

function activityOf({ phase, people, hands }: CallState): SaidActivity | undefined {
  const own = phase === 'inside' ? people.find(({ isOwn }) => isOwn) : undefined
  if (!own) return undefined
  const { microphone, speaking, identity } = own
  return { sound: microphone ? 'on' : 'muted', speaking, hand: hands.includes(identity) }
}

function isSame(one: SaidActivity | undefined, other: SaidActivity | undefined): boolean {
  return one?.sound === other?.sound && one?.speaking === other?.speaking && one?.hand === other?.hand
}
