import { destination } from 'pino'

/** Lines wait at most this long for others, so that one write carries many. Written out when the process ends. */
const FLUSH_EVERY_MS = 200
const BUFFER_BYTES = 4_096
/** What is kept while nothing can be written; further lines are lost. */
const KEPT_BYTES_MAX = 4 * 1024 * 1024

/**
 * An output that outlives a full disk. Left to itself it ends the process at the first failed write, by an event that
 * nobody listens to, and then sleeps for ever, because at the end it tries until it has written what it holds.
 * @param dest 1 or 2
 * @param onWritable called when something can be written again, with how many lines were lost meanwhile
 */
export function openLogOutput(dest: number, onWritable: (linesLost: number) => void) {
  const output = destination({
    dest,
    sync: false,
    minLength: BUFFER_BYTES,
    periodicFlush: FLUSH_EVERY_MS,
    maxLength: KEPT_BYTES_MAX,
  })
  const flushSync = output.flushSync.bind(output)
  let failing = false
  let lost = 0
  output.on('drop', () => {
    lost += 1
  })
  output.on('error', () => {
    failing = true
    output.flushSync = () => {}
  })
  output.on('write', () => {
    if (!failing) return
    failing = false
    output.flushSync = flushSync
    const linesLost = lost
    lost = 0
    onWritable(linesLost)
  })
  return output
}
