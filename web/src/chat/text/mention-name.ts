import { usePeople } from '@atrium/react'
import { createContext } from 'react'
import { useChatWords } from '../../words/chat.ts'

/** What people are called where the members of the organization are not known: among guests. */
export const MentionNames = createContext<((id: string) => string) | undefined>(undefined)

/** What a person is called today, by the `User.id` of a mention; `room` is everybody. */
export function useMentionName(): (id: string) => string {
  const words = useChatWords()
  const { people } = usePeople()
  return (id) => {
    if (id === 'room') return words.mention.room
    const person = people.find((one) => one.id === id)
    return person ? person.displayName || person.email : words.former
  }
}
