import { AtriumError } from '@atrium/client'

const readers = new Set<() => void>()

/** Calls back where the office has refused something because it is gone, or was decided meanwhile: what is shown is old. */
export function whenGone(readAgain: () => void): void {
  readers.add(readAgain)
}

/** @param error of something that a person has tried */
export function tellGone(error: unknown): void {
  if (!(error instanceof AtriumError) || ![404, 409, 410].includes(error.status)) return
  for (const readAgain of readers) readAgain()
}
