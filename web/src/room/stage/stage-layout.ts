import type { PersonInCall } from '../../media/call-state.ts'

export type View = 'grid' | 'speaker'

/** A picture on the stage: somebody, or the screen they share. */
export interface Shown {
  key: string
  person: PersonInCall
  what: 'person' | 'screen'
}

/** What is large, where anything is, and what stands beside it. */
export interface StageLayout {
  main: Shown | undefined
  others: readonly Shown[]
}

/** A screen that is shared comes before everything; else what was chosen. */
export function stageLayout(
  people: readonly PersonInCall[],
  view: View,
  speaker: string | undefined,
): StageLayout {
  const all = [
    ...people.filter(({ screen }) => screen).map((person) => shown(person, 'screen')),
    ...people.map((person) => shown(person, 'person')),
  ]
  const main = mainOf(all, view, speaker)
  return { main, others: all.filter((one) => one !== main) }
}

function mainOf(all: readonly Shown[], view: View, speaker: string | undefined): Shown | undefined {
  const screens = all.filter(({ what }) => what === 'screen')
  const persons = all.filter(({ what }) => what === 'person')
  // what others show, before what one knows oneself
  if (screens.length > 0) return screens.find(({ person }) => !person.isOwn) ?? screens[0]
  if (view === 'grid' || persons.length < 2) return undefined
  return (
    persons.find(({ person }) => person.identity === speaker) ?? persons.find(({ person }) => !person.isOwn)
  )
}

function shown(person: PersonInCall, what: Shown['what']): Shown {
  return { key: `${person.identity} ${what}`, person, what }
}

/** How many stand beside each other in a wide window. */
export function columnsFor(count: number): 1 | 2 | 3 | 4 {
  if (count <= 1) return 1
  if (count <= 4) return 2
  return count <= 9 ? 3 : 4
}
