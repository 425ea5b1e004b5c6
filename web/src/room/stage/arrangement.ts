import type { PersonInCall } from '../../media/call-state.ts'

/** A picture on the stage: a person, or the screen they share. */
export interface Shown {
  key: string
  person: PersonInCall
  what: 'person' | 'screen'
}

export interface Arrangement {
  /** What the rest makes way for. */
  large: Shown | undefined
  /** Beside it, or all alike where nothing is large. */
  tiles: readonly Shown[]
  /** Oneself, small above the others. */
  self: Shown | undefined
}

export interface Arranging {
  people: readonly PersonInCall[]
  /** Key of what a person has chosen to see large. */
  pinned: string | undefined
  /** Key of what was large a moment ago: of several screens the first one stays. */
  before: string | undefined
  /** One's own picture is small, however many are there. */
  smallSelf: boolean
}

/**
 * What is pinned, else what others share, comes before everything. Beside it stand the most recent speakers first, alone
 * in the order in which they came; oneself last. One's own screen is in front of one already.
 */
export function arrange({ people, pinned, before, smallSelf }: Arranging): Arrangement {
  const others = people.filter(({ isOwn }) => !isOwn)
  const own = people.filter(({ isOwn }) => isOwn).map((person) => shown(person, 'person'))
  const screens = others.filter(({ screen }) => screen).map((person) => shown(person, 'screen'))
  const persons = others.map((person) => shown(person, 'person'))
  const large =
    [...screens, ...persons, ...own].find(({ key }) => key === pinned) ??
    screens.find(({ key }) => key === before) ??
    screens[0]
  if (large) {
    const beside = [...screens, ...persons.toSorted(lastSpeakerFirst), ...own]
    return { large, tiles: beside.filter(({ key }) => key !== large.key), self: undefined }
  }
  // two look at each other
  const isSelfSmall = persons.length > 0 && (smallSelf || persons.length === 1)
  return {
    large: undefined,
    tiles: isSelfSmall ? persons : [...persons, ...own],
    self: isSelfSmall ? own[0] : undefined,
  }
}

function lastSpeakerFirst(one: Shown, other: Shown): number {
  return other.person.spokeAt - one.person.spokeAt
}

function shown(person: PersonInCall, what: Shown['what']): Shown {
  return { key: `${person.identity} ${what}`, person, what }
}
