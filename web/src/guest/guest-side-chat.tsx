import { createGuestChat, type GuestMessage } from '@atrium/client/guests'
import { useEffect, useRef, useState } from 'react'
import { Composer } from '../chat/composer.tsx'
import { client } from '../live/office-client.ts'
import { useAction } from '../live/use-action.ts'
import { useStore } from '../live/use-session.ts'
import { SidePanel } from '../room/side-panel.tsx'
import { Problem } from '../ui/state.tsx'
import { useGuestWords } from '../words/guest.ts'
import { localeNow } from '../words/language.ts'

/** What is written in the room, for a guest who is in it: from when they were let in. */
export function GuestSideChat({ inviteId, onClose }: { inviteId: string; onClose(): void }) {
  const { sideChat: words } = useGuestWords()
  const [chat] = useState(() => createGuestChat(client, inviteId))
  const { messages } = useStore(chat)
  const end = useRef<HTMLLIElement>(null)
  const send = useAction(async (content: string) => {
    await chat.send(content)
    await chat.refresh()
  })
  useEffect(() => () => chat.close(), [chat])
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each message that comes
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' })
  }, [messages.length])
  return (
    <SidePanel title={words.title} closeLabel={words.close} onClose={onClose}>
      <ul className="guest-messages" aria-label={words.title}>
        {messages.length === 0 && <li className="soft">{words.nothing}</li>}
        {messages.map((message) => (
          <Message key={message.id} message={message} />
        ))}
        <li ref={end} aria-hidden="true" />
      </ul>
      {send.problem && <Problem>{send.problem}</Problem>}
      <Composer
        draftKey={`guest-${inviteId}`}
        label={words.placeholder}
        autoFocus
        onType={() => {}}
        onSend={(content) => void send.run(content)}
      />
    </SidePanel>
  )
}

function Message({ message: { name, guestIdentity, content, createdAt } }: { message: GuestMessage }) {
  const { sideChat: words } = useGuestWords()
  const time = new Intl.DateTimeFormat(localeNow(), { hour: 'numeric', minute: '2-digit' })
  return (
    <li className="guest-message">
      <p className="message-head">
        <strong>{guestIdentity === undefined ? name : words.guest(name)}</strong>{' '}
        <time dateTime={createdAt}>{time.format(new Date(createdAt))}</time>
      </p>
      <p className="message-text">{content}</p>
    </li>
  )
}
