/** The one clock of the process. Everything that expires is decided by it; tests hold their own. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** `date` moved by a number of seconds. */
export function secondsAfter(date: Date, seconds: number): Date {
  return new Date(date.getTime() + seconds * 1_000)
}
