import type { Person } from '@atrium/client/people'
import { usePeople } from '@atrium/react'
import { useEffect } from 'react'
import { followedPeople, isFree } from '../live/followed-people.ts'
import { useStore } from '../live/use-session.ts'
import { notices } from '../ui/overlays/notices.ts'
import { useAttentionWords } from '../words/attention.ts'
import { useTalk } from './colleague/use-talk.ts'

const TOLD_FOR_SECONDS = 30
const NO_PEOPLE: readonly Person[] = []

/** Tells once of each person who is followed and is free. Shows nothing by itself. */
export function Followed() {
  const words = useAttentionWords()
  const followed = useStore(followedPeople)
  // people who are not followed draw nothing again
  const people = usePeople((state) => (followed.length === 0 ? NO_PEOPLE : state.people))
  const { run: talk } = useTalk()
  useEffect(() => {
    for (const person of people) {
      if (!followed.includes(person.id) || !isFree(person)) continue
      followedPeople.unfollow(person.id)
      notices.show({
        id: `free ${person.id}`,
        text: words.isFree(person.displayName || person.email),
        tone: 'good',
        seconds: TOLD_FOR_SECONDS,
        actions: [{ label: words.talk, primary: true, onAction: () => void talk(person) }],
      })
    }
  }, [people, followed, talk, words])
  return null
}
