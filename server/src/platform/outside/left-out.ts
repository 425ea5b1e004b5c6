import { channel } from 'node:diagnostics_channel'

/** Parts of a vendor's answer that could not be read, and were left out so that the rest could be shown. */
export interface LeftOut {
  /** Who said it, in small letters: `google calendar`. */
  provider: string
  /** Few, fixed words, never an id: `event`. */
  part: string
  count: number
}

const leftOutParts = channel('atrium:left-out')

/** Tells that parts of an answer were left out. Nothing of their content is told: it is private. */
export function leaveOut(parts: LeftOut): void {
  if (parts.count > 0) leftOutParts.publish(parts)
}

/** Hears of parts that this process leaves out until it is told to stop. */
export function watchLeftOut(observe: (parts: LeftOut) => void): { close(): void } {
  const hear = (parts: unknown) => observe(parts as LeftOut)
  leftOutParts.subscribe(hear)
  return { close: () => void leftOutParts.unsubscribe(hear) }
}
