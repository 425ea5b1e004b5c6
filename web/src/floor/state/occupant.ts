import type { Person } from '@atrium/client/people'
import type { PersonInRoom } from '@atrium/client/rooms'

/** The marks of a face, the most important first: the first is its badge, all of them are in its label. */
export const marks = ['screen', 'busy', 'elsewhere', 'away', 'muted', 'camera', 'hand'] as const
export type Mark = (typeof marks)[number]

/** A person drawn once: at a seat, in the atrium, or at a door. */
export interface Occupant {
  /** A User.id; of a guest what the office calls them by. */
  id: string
  name: string
  /** As it stands below the face. */
  shortName: string
  avatarUrl: string
  marks: readonly Mark[]
  isSpeaking: boolean
  isOwn: boolean
  isGuest: boolean
}

/** A person in a room, with what the list of people adds. */
export function inRoom(seen: PersonInRoom, person: Person | undefined, ownId: string): Occupant {
  const { userId, displayName, avatarUrl, sound, speaking, camera, screen, hand } = seen
  return {
    id: userId,
    // who has given none yet is called by what they sign in with
    name: displayName || person?.email || '?',
    shortName: '',
    avatarUrl,
    marks: marksOf({
      screen,
      busy: person?.status === 'busy',
      away: person?.status === 'away',
      // of a microphone that was just opened it is not known yet
      muted: sound === 'muted' || sound === 'off',
      camera,
      hand,
    }),
    isSpeaking: speaking,
    isOwn: userId === ownId,
    isGuest: false,
  }
}

/** Of a thousand people one changes at a time: the others are as they were. */
const outside = new WeakMap<Person, Occupant>()

/** A person outside of all rooms: the same object for the same person. */
export function outsideRooms(person: Person, ownId: string): Occupant {
  const known = outside.get(person)
  if (known && known.isOwn === (person.id === ownId)) return known
  const occupant = newOutside(person, ownId)
  outside.set(person, occupant)
  return occupant
}

function newOutside(person: Person, ownId: string): Occupant {
  const { id, displayName, email, avatarUrl, status, activity } = person
  return {
    id,
    name: displayName || email,
    shortName: '',
    avatarUrl,
    marks: marksOf({
      busy: status === 'busy',
      elsewhere: activity === 'in-meeting',
      away: status === 'away',
    }),
    isSpeaking: false,
    isOwn: id === ownId,
    isGuest: false,
  }
}

export function guest(id: string, name: string): Occupant {
  return { id, name, shortName: '', avatarUrl: '', marks: [], isSpeaking: false, isOwn: false, isGuest: true }
}

function marksOf(has: Partial<Record<Mark, boolean>>): Mark[] {
  return marks.filter((mark) => has[mark])
}

const shortened = new WeakMap<Occupant, Occupant>()

/** Of a last name: more would not stand below a face. */
const LETTERS_MOST = 4

/** The same people with first names; where two of them have one, with as many letters of the last as tell them apart. */
export function withShortNames(people: readonly Occupant[]): Occupant[] {
  const lastNames = new Map<string, Set<string>>()
  const counts = new Map<string, number>()
  for (const { name } of people) {
    const { first, last } = shortOf(name)
    lastNames.set(first, (lastNames.get(first) ?? new Set()).add(last))
    counts.set(first, (counts.get(first) ?? 0) + 1)
  }
  const shared = new Map([...lastNames].filter(([first]) => (counts.get(first) ?? 0) > 1))
  const endings = new Map([...shared].map(([first, lasts]) => [first, shortestApart([...lasts])]))
  return people.map((person) => {
    const { first, last } = shortOf(person.name)
    const ending = endings.get(first)?.get(last)
    return calledShort(person, ending ? `${first} ${ending}` : first)
  })
}

/** The beginning of each name that no other one has; of those that are alike for long, the initial. */
function shortestApart(names: readonly string[]): Map<string, string> {
  const beginning = (name: string, letters: number) => [...name].slice(0, letters).join('')
  const found = new Map<string, string>()
  for (let letters = LETTERS_MOST; letters > 0; letters -= 1) {
    const counts = new Map<string, number>()
    for (const name of names) {
      const begins = beginning(name, letters)
      counts.set(begins, (counts.get(begins) ?? 0) + 1)
    }
    for (const name of names) {
      const begins = beginning(name, letters)
      const isApart = counts.get(begins) === 1
      if (isApart || (letters === 1 && !found.has(name)))
        found.set(name, begins === name ? name : `${begins}.`)
    }
  }
  return found
}

function calledShort(person: Occupant, shortName: string): Occupant {
  const known = shortened.get(person)
  if (known?.shortName === shortName) return known
  const called = { ...person, shortName }
  shortened.set(person, called)
  return called
}

/** Titles are no names. */
const TITLE = /^(dr|prof|mr|mrs|ms|herr|frau)\.?$/i
const kept = new Map<string, ShortName>()
/** A few offices' worth. */
const KEPT_MOST = 10_000

interface ShortName {
  first: string
  /** Empty where there is one name alone. */
  last: string
}

function shortOf(name: string): ShortName {
  const known = kept.get(name)
  if (known) return known
  const words = name.trim().split(/\s+/u)
  const named = words.filter((word) => !TITLE.test(word))
  const [first = '', ...rest] = named.length > 0 ? named : words
  const found = { first, last: rest.at(-1) ?? '' }
  if (kept.size >= KEPT_MOST) kept.clear()
  kept.set(name, found)
  return found
}

export function isSame(one: Occupant, other: Occupant): boolean {
  if (one === other) return true
  return (
    one.id === other.id &&
    one.name === other.name &&
    one.shortName === other.shortName &&
    one.avatarUrl === other.avatarUrl &&
    one.isSpeaking === other.isSpeaking &&
    (one.marks === other.marks || one.marks.join() === other.marks.join())
  )
}
