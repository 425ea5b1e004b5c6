import type { OutboxItem } from '../outbox/outbox.ts'
import { createStore, type WritableStore } from '../store.ts'
import { isChangeOf, withChanges } from './changes.ts'
import type { ChatData, ChatUserId, MessagePage, MessageRow, MessageShown } from './chat-data.ts'
import { type ChatMessage, withAnswer, withRows, withUnsent } from './message-list.ts'
import { messageLane } from './senders.ts'

export interface ConversationState {
  /** Oldest first; what is not sent yet last. */
  messages: readonly ChatMessage[]
  loaded: boolean
  /** There are older ones: `loadOlder`. */
  hasOlder: boolean
  /** There are newer ones, for an earlier place is shown: `loadNewer`, `showNewest`. */
  hasNewer: boolean
  /** `User.id`s of the others who write at the moment. */
  typing: readonly string[]
  /** Why they could not be read the last time; what is shown may be old. */
  error?: unknown
}

/** The messages of a conversation that are shown, and what they are made of. */
export interface ShownMessages {
  readonly id: number
  readonly data: Pick<ChatData, 'me' | 'messages'>
  readonly store: WritableStore<ConversationState>
  isClosed: boolean
  me: ChatUserId | undefined
  unsent: readonly OutboxItem[]
  changes: readonly OutboxItem[]
  /** As the office has them, and what is not sent yet; without the changes that are on their way. */
  known: readonly ChatMessage[]
}

const PAGE = 50

export function showMessages(data: ShownMessages['data'], id: number): ShownMessages {
  const store = createStore<ConversationState>({
    messages: [],
    loaded: false,
    hasOlder: false,
    hasNewer: false,
    typing: [],
  })
  const beginning = { isClosed: false, me: undefined, unsent: [], changes: [], known: [] }
  const shown: ShownMessages = { id, data, store, ...beginning }
  // where it fails, the reading fails too, and says so
  learnWhoAsks(shown).catch(() => {})
  void readNewest(shown)
  return shown
}

export function ownIdOf({ me }: ShownMessages): string | undefined {
  return me === undefined ? undefined : String(me)
}

/** Of the messages that the office has. */
export function idsOf({ known }: ShownMessages): number[] {
  return known.flatMap(({ message_id }) => message_id ?? [])
}

export function setMessage(
  shown: ShownMessages,
  messageId: number,
  change: (message: ChatMessage) => ChatMessage,
): void {
  setMessages(shown, (messages) =>
    messages.map((message) => (message.message_id === messageId ? change(message) : message)),
  )
}

/** A row that others have sent: none behind a hole. */
export function receiveRow(shown: ShownMessages, row: MessageRow | MessageShown): void {
  if (shown.store.get().hasNewer && !idsOf(shown).includes(row.message_id)) return
  setMessages(shown, (messages) => withRows(withAnswer(messages, row), [row]))
}

/** @param items all of the outbox */
export function showUnsent(shown: ShownMessages, items: readonly OutboxItem[]): void {
  shown.unsent = items.filter(({ lane }) => lane === messageLane(shown.id))
  const pending = items.filter((item) => isChangeOf(shown.id, item))
  const areSame = pending.length === 0 && shown.changes.length === 0
  shown.changes = pending
  setMessages(shown, (messages) => withUnsent(areSame ? messages : [...messages], shown.unsent, shown.me))
}

export async function readNewest(shown: ShownMessages): Promise<void> {
  // what is missing there is read with the newest
  if (!shown.store.get().hasNewer) await read(shown, {})
}

export async function readOlder(shown: ShownMessages): Promise<void> {
  const [first] = idsOf(shown)
  await read(shown, first === undefined ? {} : { before: first }, true)
}

export async function readAround(shown: ShownMessages, messageId: number): Promise<void> {
  if (idsOf(shown).includes(messageId)) return
  const page = await shown.data.messages(shown.id, PAGE, { around: messageId })
  show(shown, page, pendingOf(shown), { hasOlder: page.before !== null, hasNewer: page.after !== null })
}

export async function readNewer(shown: ShownMessages): Promise<void> {
  const last = idsOf(shown).at(-1)
  if (!shown.store.get().hasNewer || last === undefined) return
  const page = await shown.data.messages(shown.id, PAGE, { after: last })
  show(shown, page, shown.known, { hasNewer: page.after !== null })
  // what came while the last ones were read was not shown
  if (page.after === null) await readNewest(shown)
}

/** Begins again with the newest ones, where an earlier place is shown. */
export async function returnToNewest(shown: ShownMessages): Promise<void> {
  if (!shown.store.get().hasNewer) return
  shown.known = pendingOf(shown)
  shown.store.update((state) => ({ ...state, messages: shown.known, loaded: false, hasNewer: false }))
  await readNewest(shown)
}

async function learnWhoAsks(shown: ShownMessages): Promise<void> {
  shown.me = await shown.data.me()
  setMessages(shown, (messages) => withUnsent(messages, shown.unsent, shown.me))
}

async function read(shown: ShownMessages, place: { before?: number }, isOlder = false): Promise<void> {
  const { id, data, store } = shown
  try {
    const before = idsOf(shown)
    const page = await data.messages(id, PAGE, place)
    if (shown.isClosed) return
    const { hasOlder, loaded } = store.get()
    // where the page does not reach what is known, there is a hole between them: begin again with the page
    const joins =
      isOlder ||
      !loaded ||
      page.before === null ||
      page.messages.some(({ message_id }) => before.includes(message_id))
    const kept = joins ? shown.known : pendingOf(shown)
    const more = isOlder || !loaded || !joins ? page.before !== null : hasOlder
    show(shown, page, kept, { hasOlder: more })
  } catch (error) {
    if (!shown.isClosed) store.update((state) => ({ ...state, error }))
  }
}

function pendingOf({ known }: ShownMessages): ChatMessage[] {
  return known.filter(({ message_id }) => message_id === undefined)
}

function setMessages(
  shown: ShownMessages,
  change: (messages: readonly ChatMessage[]) => readonly ChatMessage[],
): void {
  if (shown.isClosed) return
  const before = shown.known
  shown.known = change(before)
  if (shown.known !== before) shown.store.update((state) => ({ ...state, messages: withPending(shown) }))
}

function show(
  shown: ShownMessages,
  page: MessagePage,
  kept: readonly ChatMessage[],
  more: Partial<ConversationState>,
): void {
  if (shown.isClosed) return
  shown.known = withRows(kept, page.messages)
  const { typing, hasOlder, hasNewer } = shown.store.get()
  shown.store.set({ messages: withPending(shown), loaded: true, hasOlder, hasNewer, typing, ...more })
}

function withPending(shown: ShownMessages): readonly ChatMessage[] {
  return withChanges(shown.known, shown.changes, ownIdOf(shown))
}
