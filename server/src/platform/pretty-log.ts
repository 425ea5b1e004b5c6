import { createRequire } from 'node:module'
import type PrettyStream from 'pino-pretty'

/** A stream that writes log lines for a person, one line each. @param destination 1: standard output, 2: error output */
export function pretty(destination: 1 | 2): NodeJS.WritableStream {
  // where there is no person, its thirty files are not read
  const prettyStream = createRequire(import.meta.url)('pino-pretty') as typeof PrettyStream
  return prettyStream({
    destination,
    ignore: 'pid,hostname,requestId',
    translateTime: 'SYS:HH:MM:ss',
    colorize: process.stdout.isTTY,
    sync: true,
  })
}
