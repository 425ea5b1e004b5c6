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

export function shares({ marks: now }: Pick<Occupant, 'marks'>): boolean {
  return now.includes('screen')
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

/** The same people with first names; where two of them have one, with as many letters of the last as tell them apart. */
export function withShortNames(people: readonly Occupant[]): Occupant[] {
  const lastNames = new Map<string, string[]>()
  for (const { name } of people) {
    const { first, last } = shortOf(name)
    const known = lastNames.get(first)
    if (known) known.push(last)
    else lastNames.set(first, [last])
  }
  const endings = new Map([...lastNames].map(([first, lasts]) => [first, shortestApart(lasts)]))
  return people.map((person) => {
    const { first, last } = shortOf(person.name)
    const ending = endings.get(first)?.get(last)
    return calledShort(person, ending ? `${first} ${ending}` : first)
  })
}

/** The beginning of each name that no other one has; of those that are alike for long, the initial. None for one alone. */
function shortestApart(names: readonly string[]): Map<string, string> | undefined {
  if (names.length < 2) return undefined
  const counts = new Map<string, number>()
  const found = [...new Set(names)].map((name) => {
    const all = [...name]
    const beginnings = [1, 2, 3, 4].map((letters) => letters + all.slice(0, letters).join(''))
    for (const one of beginnings) counts.set(one, (counts.get(one) ?? 0) + 1)
    return { name, beginnings }
  })
  return new Map(
    found.map(({ name, beginnings }) => {
      const ending = (beginnings.find((one) => counts.get(one) === 1) ?? beginnings[0] ?? '').slice(1)
      return [name, ending === name ? name : `${ending}.`]
    }),
  )
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
