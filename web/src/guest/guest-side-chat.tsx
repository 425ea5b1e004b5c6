import type { GuestMessage } from '@atrium/client/guests'
import type { OutboxItem } from '@atrium/client/outbox'
import { useEffect, useRef } from 'react'
import { Composer } from '../chat/composer.tsx'
import { FormattedText } from '../chat/text/formatted-text.tsx'
import { MentionNames } from '../chat/text/mention-name.ts'
import { unsentSentence } from '../chat/unsent-sentence.ts'
import { useStore } from '../live/use-session.ts'
import type { Call } from '../media/call-state.ts'
import { SidePanel } from '../room/side-panel.tsx'
import { Button } from '../ui/button.tsx'
import { useChatWords } from '../words/chat.ts'
import { useGuestWords } from '../words/guest.ts'
import { localeNow } from '../words/language.ts'
import { keptVisit } from './kept-visit.ts'
import { draftKeyOf, type OpenGuestChat, unlisted } from './open-guest-chat.ts'

interface GuestSideChatProps {
  open: OpenGuestChat
  call: Call
  /** Told of the newest message that is shown. */
  onSeen(id: number): void
  onClose(): void
}

/** What is written in the room, for a guest who is in it: from when they were let in. */
export function GuestSideChat({ open, call, onSeen, onClose }: GuestSideChatProps) {
  const { sideChat: words } = useGuestWords()
  const state = useStore(open.chat)
  const { messages } = state
  const own = unlisted(state, useStore(open.outbox).items)
  const end = useRef<HTMLLIElement>(null)
  const last = messages.at(-1)?.id
  useEffect(() => open.look(), [open])
  useEffect(() => {
    if (last !== undefined) onSeen(last)
  }, [last, onSeen])
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each message that comes
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' })
  }, [messages.length + own.length])
  return (
    <SidePanel title={words.title} closeLabel={words.close} onClose={onClose}>
      <MentionNames value={useNamesInCall(call)}>
        <ul className="guest-messages" aria-label={words.title}>
          {messages.length + own.length === 0 && <li className="soft">{words.nothing}</li>}
          {messages.map((message) => (
            <Message key={message.id} message={message} />
          ))}
          {own.map((one) => (
            <Unlisted key={one.id} {...one} outbox={open.outbox} />
          ))}
          <li ref={end} aria-hidden="true" />
        </ul>
      </MentionNames>
      <Composer
        draftKey={draftKeyOf(open.inviteId)}
        label={words.placeholder}
        autoFocus
        onType={() => {}}
        onSend={(content) => open.write(content)}
      />
    </SidePanel>
  )
}

/** A guest knows those who are in the room, and no others. */
function useNamesInCall(call: Call): (id: string) => string {
  const { sideChat: words } = useGuestWords()
  const chat = useChatWords()
  const { people } = useStore(call)
  return (id) => {
    if (id === 'room') return chat.mention.room
    return people.find(({ identity }) => identity.split('#')[0] === id)?.name ?? words.colleague
  }
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
      <div className="message-text">
        <FormattedText text={content} />
      </div>
    </li>
  )
}

interface UnlistedProps {
  content: string
  /** Undefined: the office has taken it. */
  item?: OutboxItem
  outbox: OpenGuestChat['outbox']
}

/** What the guest has written, before the list has it: nothing of it is lost where the office does not answer. */
function Unlisted({ content, item, outbox }: UnlistedProps) {
  const { sideChat: words } = useGuestWords()
  const chat = useChatWords()
  return (
    <li className={item ? 'guest-message message-unsent' : 'guest-message'}>
      <p className="message-head">
        <strong>{words.guest(keptVisit('').name)}</strong>
      </p>
      <div className="message-text">
        <FormattedText text={content} />
      </div>
      {item && (
        <p className="message-state" role={item.state === 'refused' ? 'alert' : undefined}>
          {unsentSentence(item, chat)}{' '}
          {item.state !== 'sending' && (
            <Button small look="quiet" onPress={() => void outbox.again(item.id)}>
              {chat.sendAgain}
            </Button>
          )}
          {item.state === 'refused' && (
            <Button small look="quiet" onPress={() => void outbox.drop(item.id)}>
              {chat.discard}
            </Button>
          )}
        </p>
      )}
    </li>
  )
}
