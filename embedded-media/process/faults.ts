import type { Report } from '../messages.ts'

export type Fault = Extract<Report, { report: 'fault' }>['fault']

const TEXT_LENGTH_MAX = 4_096
/** Tokens, and what another client would need to take a connection over: libraries put what they read into their errors. */
const SECRETS = /\beyJ[\w-]+\.[\w-]+\.[\w-]*|\bice-(?:pwd|ufrag):\S+/g

/** What was thrown, as it is told to the process that writes the log. */
export function faultOf(error: unknown): Fault {
  if (!(error instanceof Error)) return { name: 'Error', message: tellable(String(error)), stack: undefined }
  const { name, message, stack } = error
  return { name, message: tellable(message), stack: stack === undefined ? stack : tellable(stack) }
}

/** The same as an error, to be logged like any other. */
export function errorOf({ name, message, stack }: Fault): Error {
  const error = new Error(message)
  error.name = name
  error.stack = stack ?? `${name}: ${message}`
  return error
}

/** A text that may stand in a log: of a bounded length, without secrets. */
export function tellable(text: string): string {
  return text.replace(SECRETS, '[redacted]').slice(0, TEXT_LENGTH_MAX)
}
