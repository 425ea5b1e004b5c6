import { after } from './timing/timer.ts'

/** Lines of one fault follow each other no faster. */
const WINDOW_MS = 1_000
/** More different ones than any outage has: what comes beyond them is written as it comes. */
const FAULTS_MAX = 500

type Write = (repeated: number) => void

/**
 * Holds back what would be the same line again: of each fault one a second, with how many more there were. An outage
 * is one fault in every request; a stack trace for each would be the log of nothing else.
 */
export function repeatedFaults(windowMs = WINDOW_MS): (fault: string, write: Write) => void {
  const held = new Map<string, { count: number; newest: Write }>()
  const endWindow = (fault: string) => {
    const state = held.get(fault)
    held.delete(fault)
    if (!state || state.count === 0) return
    // that line begins a window too
    begin(fault, state.newest, state.count)
  }
  const begin = (fault: string, write: Write, repeated: number) => {
    held.set(fault, { count: 0, newest: write })
    after(
      windowMs,
      () => endWindow(fault),
      () => undefined,
    )
    write(repeated)
  }
  return (fault, write) => {
    const state = held.get(fault)
    if (state) {
      state.count += 1
      state.newest = write
      return
    }
    if (held.size >= FAULTS_MAX) return write(0)
    begin(fault, write, 0)
  }
}

/** What makes two lines the same: what they say, and the error that they say it of, by its first place in the code. */
export function faultOf(message: unknown, error: unknown): string {
  if (!(error instanceof Error)) return `${message} ${error}`
  const { name, code, stack = '' } = error as Error & { code?: unknown }
  const place = /\n\s+at (.*)/.exec(stack)?.[1] ?? ''
  return [message, name, code, error.message.slice(0, 200), place].join(' ')
}
