import { useChat, useConversationChoices } from '@atrium/react'
import { useEffect, useRef } from 'react'
import { charactersOver } from './characters-over.ts'

/** After the last key. */
const KEPT_AFTER_MS = 1_500

interface Draft {
  conversationId: number
  /** As it is stored. */
  content: string
  /** Another device has written it. */
  onOther(content: string): void
}

/**
 * Keeps what is typed for all devices of the person, and takes over what another one has kept, as long as nothing else
 * is typed here. Shows nothing.
 */
export function SharedDraft({ conversationId, content, onOther }: Draft): null {
  const chat = useChat()
  const { of, loaded } = useConversationChoices()
  const there = of.get(conversationId)?.draft
  const known = useRef<string>(undefined)
  const now = useRef({ content, onOther })
  now.current = { content, onOther }
  useEffect(() => {
    if (!loaded || there === undefined || there === known.current) return
    const isUntouched = now.current.content === (known.current ?? '')
    known.current = there
    if (isUntouched && there !== now.current.content) now.current.onOther(there)
  }, [there, loaded])
  const keep = useRef<() => void>(undefined)
  useEffect(() => {
    // what was sent meanwhile is no draft any more
    keep.current = undefined
    if (!chat || !loaded || content === (known.current ?? '') || charactersOver(content) > 0) return undefined
    keep.current = () => {
      keep.current = undefined
      known.current = content
      // what could not be kept is in this tab still
      chat.setDraft(conversationId, content).catch(() => {})
    }
    const timer = setTimeout(() => keep.current?.(), content === '' ? 0 : KEPT_AFTER_MS)
    return () => clearTimeout(timer)
  }, [chat, conversationId, content, loaded])
  // another screen does not wait
  useEffect(() => () => keep.current?.(), [])
  return null
}
