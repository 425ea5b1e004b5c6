/** Work that is done one after the other, and once more where something has changed meanwhile. */
export interface WorkLoop {
  begin(): void
  /** Begins after that time too. What is planned already comes first, and nothing is planned beside it. */
  plan(ms: number, act: () => void): void
  forget(): void
  close(): void
}

export interface WorkLoopOptions {
  /** What rejects is tried again. */
  work(): Promise<void>
  /** Asked now and then, ever more rarely. @returns false where nothing is missing any more */
  repeat(): boolean
  repeatMs: number
  repeatMaxMs: number
}

const AFTER_FAILURE_MS = 300

interface Loop {
  readonly options: WorkLoopOptions
  isWorking: boolean
  isWanted: boolean
  isClosed: boolean
  planned: ReturnType<typeof setTimeout> | undefined
  again: ReturnType<typeof setTimeout> | undefined
  pauseMs: number
}

export function createWorkLoop(options: WorkLoopOptions): WorkLoop {
  const idle = { isWorking: false, isWanted: false, isClosed: false, planned: undefined, again: undefined }
  const loop: Loop = { options, ...idle, pauseMs: options.repeatMs }
  return {
    begin() {
      loop.isWanted = true
      loop.pauseMs = options.repeatMs
      void run(loop)
      schedule(loop)
    },
    plan: (ms, act) => plan(loop, ms, act),
    forget: () => forget(loop),
    close() {
      loop.isClosed = true
      forget(loop)
      clearTimeout(loop.again)
    },
  }
}

async function run(loop: Loop): Promise<void> {
  if (loop.isWorking) return
  loop.isWorking = true
  while (loop.isWanted && !loop.isClosed) {
    loop.isWanted = false
    await loop.options.work().catch(() => plan(loop, AFTER_FAILURE_MS))
  }
  loop.isWorking = false
  // what was done may lack what others have to say
  if (loop.again === undefined) schedule(loop)
}

function plan(loop: Loop, ms: number, act?: () => void): void {
  if (loop.planned !== undefined || loop.isClosed) return
  loop.planned = setTimeout(() => {
    loop.planned = undefined
    act?.()
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
