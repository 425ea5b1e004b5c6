import type { NewNumbers } from '../../../directory/archive-chapter.ts'
import { parseConnectionUser, parseGuestIdentity } from '../../../platform/ids.ts'
import { isObject } from '../../../platform/outside/outside-fields.ts'

/** A person as recordings keep them: of members `identity` is their `User.id`; a name is there for all others alone. */
export interface StoredSpeaker {
  identity: string
  name?: string
}

/** A moment of a film. */
export interface StoredChapter extends StoredSpeaker {
  /** In seconds from the beginning, as `until` is. */
  at: number
  kind: 'entered' | 'left' | 'shared' | 'spoke'
  until?: number
}
export type StoredChapters = StoredChapter[]

/** A word that was said. */
export interface StoredWord extends StoredSpeaker {
  /** In seconds from the beginning of the film, as `to` is. */
  from: number
  to: number
  text: string
}
export type StoredWords = StoredWord[]

/** Whether it is what the words of a transcript are stored as, where it comes from outside. */
export function areStoredWords(value: unknown): value is StoredWords {
  return Array.isArray(value) && value.every(isStoredWord)
}

function isStoredWord(value: unknown): boolean {
  if (!isObject(value)) return false
  const { from, to, identity, name = '', text } = value
  return (
    [from, to].every((moment) => typeof moment === 'number') &&
    [identity, name, text].every((one) => typeof one === 'string')
  )
}

/** Chapters or words of another office, with its members under the numbers that they have here. */
export function renumberedSpeakers(value: unknown, numbers: NewNumbers): unknown {
  if (!Array.isArray(value)) return value
  return value.map((one: unknown) => {
    if (!isObject(one) || typeof one.identity !== 'string') return one
    const user = parseConnectionUser(one.identity)
    return user ? { ...one, identity: numbers.of('users', user) ?? '' } : one
  })
}

/** A member, a guest, or neither: a program. */
export interface SpeakerView {
  userId?: string
  guest?: { identity: string; name: string }
}

const NAME_LENGTH_MAX = 200

/** Of members the id alone: their name is that of their profile. */
export function storedSpeaker({ identity, name }: { identity: string; name: string }): StoredSpeaker {
  const user = parseConnectionUser(identity)
  return user ? { identity: user } : { identity, name: name.slice(0, NAME_LENGTH_MAX) }
}

export function viewOfSpeaker({ identity, name = '' }: StoredSpeaker): SpeakerView {
  const userId = parseConnectionUser(identity)
  if (userId) return { userId }
  return parseGuestIdentity(identity) ? { guest: { identity, name } } : {}
}
