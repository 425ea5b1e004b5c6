import { serveImageCheck } from '../image-check-server.ts'

/**
 * The process of the image check. Started by start-image-check.ts, it ends when its channel closes. Signals that reach
 * every process of a terminal do not end it: the process that started it may still have images to check.
 */
process.once('disconnect', () => process.exit(0))
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
const fail = (error: unknown) => {
  console.error(`image check: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}
const listening = await serveImageCheck({ host: '127.0.0.1', port: 0, onFatal: fail }).catch(fail)
// the process that started it may be done with it by now
process.send?.({ port: listening.port }, undefined, undefined, (error) => error && process.exit(0))
