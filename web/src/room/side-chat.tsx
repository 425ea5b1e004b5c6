import type { ChatMessage } from '@atrium/client/chat'
import { usePeople, useRoomConversation } from '@atrium/react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button, IconButton } from '../ui/button.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { Loading } from '../ui/state.tsx'
import { de } from '../words/de/room.ts'
import { en } from '../words/en/room.ts'
import { localeNow } from '../words/language.ts'
import { useWords } from '../words/use-words.ts'

/** What is written in the room, beside the stage. */
export function SideChat({ roomId, onClose }: { roomId: string; onClose(): void }) {
  const { sideChat: words } = useWords({ en, de })
  const { conversation, messages, loaded, refused } = useRoomConversation(roomId)
  const [text, setText] = useState('')
  const end = useRef<HTMLDivElement>(null)
  const newest = messages.at(-1)
  // what was written before one came has no id of a client
  const last = newest?.client_message_id ?? newest?.message_id
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new message is scrolled to
  useEffect(() => {
    // answers a promise in new browsers, which is nothing to clean up with
    void end.current?.scrollIntoView({ block: 'nearest' })
  }, [last])
  useEffect(() => {
    if (last !== undefined && loaded) conversation?.markRead().catch(() => {})
  }, [conversation, last, loaded])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const content = text.trim()
    if (!content || !conversation) return
    setText('')
    void conversation.send(content)
  }
  return (
    <section className="side-chat" aria-label={words.title}>
      <div className="side-chat-head">
        <h2>{words.title}</h2>
        <IconButton icon="close" label={words.close} small onPress={onClose} />
      </div>
      {!loaded && refused === undefined && <Loading label={words.loading} />}
      {!loaded && refused !== undefined && <p className="soft">{words.failed}</p>}
      {loaded && messages.length === 0 && <p className="soft">{words.empty}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <div className="side-chat-messages" role="log" aria-label={words.title} tabIndex={0}>
        <ol className="side-chat-list">
          {messages.map((message) => (
            <Message
              key={message.client_message_id ?? message.message_id}
              message={message}
              onAgain={(id) => void conversation?.resend(id)}
            />
          ))}
        </ol>
        <div ref={end} />
      </div>
      <form className="side-chat-form" onSubmit={submit}>
        <TextField
          label={words.message}
          labelHidden
          value={text}
          onChange={setText}
          placeholder={words.placeholder}
          maxLength={4_000}
          autoComplete="off"
          autoFocus
        />
        <IconButton icon="send" label={words.send} type="submit" look="primary" />
      </form>
    </section>
  )
}

function Message({ message, onAgain }: { message: ChatMessage; onAgain(id: string): void }) {
  const { sideChat: words } = useWords({ en, de })
  const { people } = usePeople()
  const { sender_id, content, created_at, state, client_message_id } = message
  const name = people.find(({ id }) => id === String(sender_id))?.displayName ?? words.somebody
  const time = new Intl.DateTimeFormat(localeNow(), { timeStyle: 'short' }).format(new Date(created_at))
  const failed = state === 'refused' || state === 'waiting'
  return (
    <li>
      <span className="side-chat-from">
        {name} <span className="soft">{failed ? words.notSent : time}</span>
      </span>
      <p className="side-chat-text">{content}</p>
      {failed && client_message_id && (
        <Button small look="quiet" onPress={() => onAgain(client_message_id)}>
          {words.again}
        </Button>
      )}
    </li>
  )
}
