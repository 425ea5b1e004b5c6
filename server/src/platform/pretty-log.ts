import prettyStream from 'pino-pretty'

/** A stream that writes log lines for a person, one line each. */
export function pretty(): NodeJS.WritableStream {
  return prettyStream({
    ignore: 'pid,hostname,requestId',
    translateTime: 'SYS:HH:MM:ss',
    colorize: process.stdout.isTTY,
    sync: true,
  })
}
