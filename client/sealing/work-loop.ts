import { AtriumError } from '../errors.ts'

/** Work that is done one after the other, and once more where something has changed meanwhile. */
export interface WorkLoop {
  begin(): void
  /** Begins after that time too. What is planned already comes first, and nothing is planned beside it. */
  plan(ms: number, act: () => void): void
  forget(): void
  close(): void
}

export interface WorkLoopOptions {
  /** What rejects is tried again, ever later, and not before the office wants it: until then nothing is done. */
  work(): Promise<void>
  /** Asked now and then, ever more rarely. @returns false where nothing is missing any more */
  repeat(): boolean
  repeatMs: number
  repeatMaxMs: number
}

const AFTER_FAILURE_MS = 300
/** However long an office, or a proxy before it, says. */
const RETRY_MAX_MS = 600_000

interface Loop {
  readonly options: WorkLoopOptions
  isWorking: boolean
  isWanted: boolean
  isClosed: boolean
  planned: ReturnType<typeof setTimeout> | undefined
  again: ReturnType<typeof setTimeout> | undefined
  /** After a failure. */
  rest: ReturnType<typeof setTimeout> | undefined
  failures: number
  pauseMs: number
}

export function createWorkLoop(options: WorkLoopOptions): WorkLoop {
  const timers = { planned: undefined, again: undefined, rest: undefined }
  const idle = { isWorking: false, isWanted: false, isClosed: false, failures: 0 }
  const loop: Loop = { options, ...idle, ...timers, pauseMs: options.repeatMs }
  return {
    begin() {
      loop.isWanted = true
      void run(loop)
      // what is due as soon as that is not put off
      if (loop.again !== undefined && loop.pauseMs <= options.repeatMs) return
      loop.pauseMs = options.repeatMs
      schedule(loop)
    },
    plan: (ms, act) => plan(loop, ms, act),
    forget: () => forget(loop),
    close() {
      loop.isClosed = true
      forget(loop)
      clearTimeout(loop.again)
      clearTimeout(loop.rest)
    },
  }
}

async function run(loop: Loop): Promise<void> {
  if (loop.isWorking) return
  loop.isWorking = true
  while (loop.isWanted && !loop.isClosed && loop.rest === undefined) {
    loop.isWanted = false
    try {
      await loop.options.work()
      loop.failures = 0
    } catch (error) {
      rest(loop, error)
    }
  }
  loop.isWorking = false
  // what was done may lack what others have to say
  if (loop.again === undefined) schedule(loop)
}

/** Each failure after another is waited for twice as long. */
function rest(loop: Loop, error: unknown): void {
  if (loop.isClosed) return
  const grown = Math.min(AFTER_FAILURE_MS * 2 ** loop.failures, loop.options.repeatMaxMs)
  const wanted = error instanceof AtriumError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0
  loop.failures += 1
  loop.rest = setTimeout(
    () => {
      loop.rest = undefined
      loop.isWanted = true
      void run(loop)
    },
    Math.min(Math.max(grown, wanted), RETRY_MAX_MS),
  )
}

function plan(loop: Loop, ms: number, act: () => void): void {
  if (loop.planned !== undefined || loop.isClosed) return
  loop.planned = setTimeout(() => {
    loop.planned = undefined
    act()
    loop.isWanted = true
    void run(loop)
  }, ms)
}

function forget(loop: Loop): void {
  clearTimeout(loop.planned)
  loop.planned = undefined
}

function schedule(loop: Loop): void {
  clearTimeout(loop.again)
  if (loop.isClosed) return
  loop.again = setTimeout(() => {
    loop.again = undefined
    if (!loop.options.repeat()) return
    loop.isWanted = true
    void run(loop)
    loop.pauseMs = Math.min(loop.pauseMs * 2, loop.options.repeatMaxMs)
    schedule(loop)
  }, loop.pauseMs)
}

/** Does something once for all reasons that come within a time. */
export function gathered(ms: number, act: () => void): { soon(): void; close(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    soon() {
      timer ??= setTimeout(() => {
        timer = undefined
        act()
      }, ms)
    },
    close: () => clearTimeout(timer),
  }
}
