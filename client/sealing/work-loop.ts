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

export function createWorkLoop({ work, repeat, repeatMs, repeatMaxMs }: WorkLoopOptions): WorkLoop {
  let isWorking = false
  let isWanted = false
  let isClosed = false
  let planned: ReturnType<typeof setTimeout> | undefined
  let again: ReturnType<typeof setTimeout> | undefined
  let pauseMs = repeatMs
  const run = async () => {
    if (isWorking) return
    isWorking = true
    while (isWanted && !isClosed) {
      isWanted = false
      await work().catch(() => plan(AFTER_FAILURE_MS))
    }
    isWorking = false
    // what was done may lack what others have to say
    if (again === undefined) schedule()
  }
  const begin = () => {
    isWanted = true
    pauseMs = repeatMs
    void run()
    schedule()
  }
  const plan = (ms: number, act?: () => void) => {
    if (planned !== undefined || isClosed) return
    planned = setTimeout(() => {
      planned = undefined
      act?.()
      isWanted = true
      void run()
    }, ms)
  }
  const forget = () => {
    clearTimeout(planned)
    planned = undefined
  }
  const schedule = () => {
    clearTimeout(again)
    if (isClosed) return
    again = setTimeout(() => {
      again = undefined
      if (!repeat()) return
      isWanted = true
      void run()
      pauseMs = Math.min(pauseMs * 2, repeatMaxMs)
      schedule()
    }, pauseMs)
  }
  return {
    begin,
    plan,
    forget,
    close() {
      isClosed = true
      forget()
      clearTimeout(again)
    },
  }
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
