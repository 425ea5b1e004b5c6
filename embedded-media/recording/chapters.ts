import { type EventNote, isEvent, type Note } from './notes.ts'

/** A moment of a film that is worth going to; of speech also its end. */
export interface Chapter {
  /** In seconds from the beginning. */
  at: number
  kind: 'entered' | 'left' | 'shared' | 'spoke'
  /** In seconds from the beginning: until when a turn to speak lasts. */
  until?: number
  identity: string
  name: string
}

/** A shorter silence does not end a turn. */
const PAUSE_MS = 3_000
/** A shorter turn is a cough, or a yes. */
const TURN_MS_MIN = 1_000
const CHAPTERS_MAX = 300

/** What people did, in order; of too much the shortest turns are left out. */
export function chaptersOf(notes: readonly Note[], endMs: number): Chapter[] {
  const events = notes.filter(isEvent)
  const moments = events.flatMap(({ note: kind, at, identity, name }) =>
    kind === 'spoke' || kind === 'hushed' ? [] : [{ at: Math.min(at, endMs) / 1_000, kind, identity, name }],
  )
  const turns = [...Map.groupBy(events, ({ identity }) => identity).values()]
    .flatMap((ofOne) => turnsOf(ofOne, endMs))
    .filter(({ at, until }) => until - at >= TURN_MS_MIN)
    .sort((one, other) => other.until - other.at - (one.until - one.at))
    .map(({ at, until, identity, name }) => ({
      ...{ at: at / 1_000, kind: 'spoke' as const, until: until / 1_000, identity, name },
    }))
  return [...moments, ...turns].slice(0, CHAPTERS_MAX).sort((one, other) => one.at - other.at)
}

interface Turn {
  at: number
  until: number
  identity: string
  name: string
}

/** When one person spoke. */
function turnsOf(events: readonly EventNote[], endMs: number): Turn[] {
  const turns: Turn[] = []
  let current: Turn | undefined
  for (const { note, at, identity, name } of events) {
    if (note === 'spoke' && !current) {
      const last = turns.at(-1)
      const goesOn = last !== undefined && at - last.until <= PAUSE_MS
      current = (goesOn && turns.pop()) || { at, until: endMs, identity, name }
    }
    if ((note === 'hushed' || note === 'left') && current) {
      turns.push({ ...current, until: Math.min(at, endMs) })
      current = undefined
    }
  }
  return current ? [...turns, { ...current, until: endMs }] : turns
}
