import { type Logger, pino } from 'pino'

export interface RecordedLog {
  log: Logger
  /** Every line so far, as it would have been written. */
  lines: Record<string, unknown>[]
  /** All lines as one text, to look for what must not be in it. */
  text(): string
}

/** A real log that writes into memory, without time, process and host: their digits hold any others by chance. */
export function recordedLog(): RecordedLog {
  const lines: Record<string, unknown>[] = []
  const log = pino(
    { level: 'trace', base: null, timestamp: false },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  )
  return { log, lines, text: () => JSON.stringify(lines) }
}
