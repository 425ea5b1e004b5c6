/** The one clock of the process. Everything that expires is decided by it; tests hold their own. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** `date` moved by a number of seconds. */
export function secondsAfter(date: Date, seconds: number): Date {
  return new Date(date.getTime() + seconds * 1_000)
}

export const MINUTE_SECONDS = 60
export const HOUR_SECONDS = 60 * MINUTE_SECONDS
export const DAY_SECONDS = 24 * HOUR_SECONDS

export const MINUTE_MS = MINUTE_SECONDS * 1_000
export const HOUR_MS = HOUR_SECONDS * 1_000
export const DAY_MS = DAY_SECONDS * 1_000
