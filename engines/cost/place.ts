import type { WorstText, WorstValue } from './texts.ts'

/** What is sent to the office, ready to go: called once. */
export type Shot = () => Promise<Answered>

export interface Answered {
  /** Of the reply; of a realtime frame, the code that its connection was closed with, or 0. */
  status: number
}

/** One place of the interface that takes a text or a value from outside. */
export interface Place {
  /** `bodies`, `headers` …: a line of the table. */
  group: string
  /** As an engineer would look for it: `signIn email`. */
  name: string
  /** What is tried there. */
  worst: readonly (WorstText | WorstValue)[]
  /** Of the worst text itself. */
  bytesMax: number
  /** Everything that has to be there before; what it costs is not of the request. */
  prepare(made: string): Promise<Shot> | Shot
}

/**
 * Cuts a set of places: all worst texts go to one place of each class of reader, the first, and to the others only what
 * every one of them is tried with.
 */
export function cutByReader(
  places: readonly (Place & { reader: string })[],
  everywhere: readonly (WorstText | WorstValue)[],
): Place[] {
  const known = new Set<string>()
  return places.map((place) => {
    const isFirst = !known.has(place.reader)
    known.add(place.reader)
    return isFirst ? place : { ...place, worst: place.worst.filter((one) => everywhere.includes(one)) }
  })
}
