import type { AtriumClient } from '@atrium/client'
import { createGuestChat, type GuestChat, type GuestChatState } from '@atrium/client/guests'
import { createOutbox, forgetUnsent, type Outbox, type OutboxItem, outboxStore } from '@atrium/client/outbox'
import { keepDraft } from '../chat/drafts.ts'

/** Where a guest writes, and as whom: one visit of one room. */
export interface GuestPlaceOfChat {
  guestIdentity: string
  inviteId: string
}

/** The conversation of a room, with what its guest has written and the office has not taken yet. */
export interface OpenGuestChat {
  readonly inviteId: string
  readonly chat: GuestChat
  readonly outbox: Pick<Outbox, 'get' | 'subscribe' | 'again' | 'drop'>
  /** Never rejects, and loses nothing: what is not taken is sent again, over a reload too. */
  write(content: string): void
  /** It is on the screen: read more often. @returns what ends that */
  look(): () => void
  /** Deletes what was not sent, and what was being written. */
  forget(): void
  close(): void
}

const WHILE_READ_MS = 2_000
/** Only to tell that something was written. */
const OTHERWISE_MS = 5_000
const KIND = 'guest-message'

export function openGuestChat(
  client: AtriumClient,
  { guestIdentity, inviteId }: GuestPlaceOfChat,
): OpenGuestChat {
  let readers = 0
  const chat = createGuestChat(client, inviteId, {
    everyMs: () => (readers > 0 ? WHILE_READ_MS : OTHERWISE_MS),
  })
  const owner = { person: guestIdentity, organization: inviteId }
  const send = async ({ id, body }: OutboxItem) => {
    await chat.send((body as { content: string }).content, id)
    void chat.refresh()
  }
  const { time } = client
  const store = outboxStore()
  const outbox = createOutbox({ store, owner: async () => owner, senders: { [KIND]: { send } }, time })
  return {
    inviteId,
    chat,
    outbox,
    write: (content) => void outbox.put({ kind: KIND, lane: inviteId, body: { content } }),
    look() {
      readers += 1
      void chat.refresh()
      return () => {
        readers -= 1
      }
    },
    forget() {
      keepDraft(draftKeyOf(inviteId), '')
      void forgetUnsent(guestIdentity, store).catch(() => {})
    },
    close() {
      chat.close()
      outbox.close()
    },
  }
}

export const draftKeyOf = (inviteId: string) => `guest-${inviteId}`

/** What a guest has written, as far as the list has it not: taken by the office already, or not yet. */
export function unlisted(
  { messages, sent }: Pick<GuestChatState, 'messages' | 'sent'>,
  items: readonly OutboxItem[],
): { id: string; content: string; item?: OutboxItem }[] {
  const listed = new Set(messages.map(({ clientMessageId }) => clientMessageId))
  const taken = new Set(sent.map(({ clientMessageId }) => clientMessageId))
  return [
    ...sent.map(({ clientMessageId: id, content }) => ({ id, content })),
    ...items
      .filter(({ id }) => !taken.has(id) && !listed.has(id))
      .map((item) => ({ id: item.id, content: (item.body as { content: string }).content, item })),
  ]
}
