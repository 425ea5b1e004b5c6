import type { SuccessBody } from '@atrium/client'

export type Chapter = SuccessBody<'getRecording'>['chapters'][number]

/** When one person spoke. */
export interface Speech {
  who: string
  name: string
  seconds: number
  turns: { at: number; until: number }[]
}

/** Who spoke when, the longest speech first. */
export function speechOf(chapters: readonly Chapter[], nameOf: (chapter: Chapter) => string): Speech[] {
  const found = new Map<string, Speech>()
  for (const chapter of chapters) {
    const { kind, at, until = at, userId, guest, text } = chapter
    if (kind !== 'spoke') continue
    const who = userId ?? guest?.identity ?? text ?? ''
    const speech = found.get(who) ?? { who, name: nameOf(chapter), seconds: 0, turns: [] }
    speech.seconds += until - at
    speech.turns.push({ at, until })
    found.set(who, speech)
  }
  return [...found.values()].sort((one, other) => other.seconds - one.seconds)
}

/** A moment of a film as players show it: `1:02:03`, `2:03`. */
export function momentOf(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60]
  const padded = (part: number) => String(part).padStart(2, '0')
  return hours > 0 ? `${hours}:${padded(minutes)}:${padded(whole % 60)}` : `${minutes}:${padded(whole % 60)}`
}
