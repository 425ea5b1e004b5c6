import { type KeyboardEvent, type RefObject, useState } from 'react'
import { type Mentionable, mentionable, mentionQuery } from './stored-mentions.ts'

export interface MentionPicker {
  /** Those to choose from; none: the list is closed. */
  found: readonly Mentionable[]
  /** The one that Enter takes. */
  at: number
  /** The caret has moved, or the text has changed. */
  look(): void
  choose(member: Mentionable): void
  close(): void
  /** @returns whether the key was for the list */
  onKey(event: KeyboardEvent): boolean
}

interface Field {
  area: RefObject<HTMLTextAreaElement | null>
  members: readonly Mentionable[]
  /** What the field says now. */
  onText(text: string): void
  onChosen(member: Mentionable): void
}

/** The list of members beside an `@` that is being typed. */
export function useMentionPicker({ area, members, onText, onChosen }: Field): MentionPicker {
  const [query, setQuery] = useState<string>()
  const [at, setAt] = useState(0)
  const found = query === undefined ? [] : mentionable(members, query)
  const close = () => setQuery(undefined)
  const choose = (member: Mentionable) => {
    const field = area.current
    if (!field) return
    const end = field.selectionStart
    field.setRangeText(`@${member.name} `, end - (query?.length ?? 0) - 1, end, 'end')
    field.focus()
    close()
    onChosen(member)
    onText(field.value)
  }
  return {
    found,
    at,
    close,
    choose,
    look() {
      const field = area.current
      const before = field?.value.slice(0, field.selectionStart) ?? ''
      setQuery(members.length === 0 ? undefined : mentionQuery(before))
      setAt(0)
    },
    onKey(event) {
      const chosen = found[at]
      if (!chosen || event.nativeEvent.isComposing) return false
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (step !== undefined) setAt((at + step + found.length) % found.length)
      else if (event.key === 'Enter' || event.key === 'Tab') choose(chosen)
      else if (event.key === 'Escape') close()
      else return false
      event.preventDefault()
      // what the field stands in stays open
      event.stopPropagation()
      return true
    },
  }
}
