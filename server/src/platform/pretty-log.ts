import prettyStream from 'pino-pretty'

/** A stream that writes log lines for a person, one line each. @param destination 1: standard output, 2: error output */
export function pretty(destination: 1 | 2): NodeJS.WritableStream {
  return prettyStream({
    destination,
    ignore: 'pid,hostname,requestId',
    translateTime: 'SYS:HH:MM:ss',
    colorize: process.stdout.isTTY,
    sync: true,
  })
}
