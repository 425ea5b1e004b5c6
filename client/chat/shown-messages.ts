import { createRefresher, type Refresher } from '../live/refresher.ts'
import type { OutboxItem } from '../outbox/outbox.ts'
import { createStore, type WritableStore } from '../store.ts'
import { isChangeOf, withChanges } from './changes.ts'
import type {
  ChatData,
  ChatUserId,
  MessagePage,
  MessagePlace,
  MessageRow,
  MessageShown,
} from './chat-data.ts'
import { type ChatMessage, type KnownMessage, withAnswer, withRows, withUnsent } from './message-list.ts'
import { MESSAGE, messageLane } from './senders.ts'

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

/** What an event changes. @param hasNewer the messages are those of an earlier place */
type Change = (messages: readonly KnownMessage[], hasNewer: boolean) => readonly KnownMessage[]

/** The messages of a conversation that are shown, and what they are made of. */
export interface ShownMessages {
  readonly id: number
  readonly data: Pick<ChatData, 'me' | 'messages'>
  readonly store: WritableStore<ConversationState>
  /** Reads the newest ones: of several readings at once the newest counts, and a failed one is read again. */
  readonly newest: Refresher
  /** How many other pages are being read. */
  pages: number
  /** What was heard while anything was being read: the page may be older than that. */
  heard: Change[]
  /** The message that was to be shown last; undefined: the newest ones. */
  target: number | undefined
  isClosed: boolean
  me: ChatUserId | undefined
  /** Messages and changes that are on their way. */
  unsent: readonly OutboxItem[]
  /** As the office has them. */
  known: readonly KnownMessage[]
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
  const newest = createRefresher({
    read: () => ask(shown, {}),
    onRead: (asked) => showNewest(shown, asked),
    onError: (error) => store.update((state) => ({ ...state, error })),
    gatherMs: 0,
  })
  const shown: ShownMessages = {
    ...{ id, data, store, newest, pages: 0, heard: [], target: undefined, isClosed: false },
    ...{ me: undefined, unsent: [], known: [] },
  }
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
  return known.map(({ message_id }) => message_id)
}

export function receiveChange(
  shown: ShownMessages,
  messageId: number,
  change: (message: KnownMessage) => KnownMessage,
): void {
  hear(shown, (messages) =>
    messages.map((message) => (message.message_id === messageId ? change(message) : message)),
  )
}

/** @param isNew where it is not shown yet, it comes last, but not behind a hole; else it stays away */
export function receiveRow(shown: ShownMessages, row: MessageRow | MessageShown, isNew = true): void {
  hear(shown, (messages, hasNewer) => {
    const known = messages.find(({ message_id }) => message_id === row.message_id)
    // an edit of before its deletion may be answered after it
    if (known ? known.is_deleted : hasNewer || !isNew) return messages
    // how many answers it has is said by pages, and by the answers that come
    const { reply_count } = known ?? row
    return withRows(withAnswer(messages, row), [{ ...row, reply_count }])
  })
}

/** @param items all of the outbox */
export function showUnsent(shown: ShownMessages, items: readonly OutboxItem[]): void {
  const before = shown.unsent
  shown.unsent = items.filter((item) => item.lane === messageLane(shown.id) || isChangeOf(shown.id, item))
  if (before.length > 0 || shown.unsent.length > 0) showAgain(shown)
}

export async function readNewest({ store, newest }: ShownMessages): Promise<void> {
  // what is missing there is read with the newest
  if (!store.get().hasNewer) await newest.now()
}

export async function readOlder(shown: ShownMessages): Promise<void> {
  const [first] = idsOf(shown)
  if (first === undefined) return await readNewest(shown)
  try {
    await readPage(shown, { before: first }, () => idsOf(shown)[0] === first)
  } catch (error) {
    if (!shown.isClosed) shown.store.update((state) => ({ ...state, error }))
  }
}

export async function readAround(shown: ShownMessages, messageId: number): Promise<void> {
  shown.target = messageId
  if (!idsOf(shown).includes(messageId))
    await readPage(shown, { around: messageId }, () => shown.target === messageId)
}

export async function readNewer(shown: ShownMessages): Promise<void> {
  const last = idsOf(shown).at(-1)
  if (shown.store.get().hasNewer && last !== undefined)
    await readPage(shown, { after: last }, () => idsOf(shown).at(-1) === last)
}

/** Begins again with the newest ones, where an earlier place is shown. */
export async function returnToNewest(shown: ShownMessages): Promise<void> {
  shown.target = undefined
  if (!shown.store.get().hasNewer) return
  shown.known = []
  shown.store.update((state) => ({ ...state, messages: messagesOf(shown), loaded: false, hasNewer: false }))
  await readNewest(shown)
}

async function learnWhoAsks(shown: ShownMessages): Promise<void> {
  shown.me = await shown.data.me()
  if (shown.unsent.length > 0) showAgain(shown)
}

/** A page, and what stood when it was asked for. */
interface Asked {
  known: readonly number[]
  /** So much had been heard. */
  heard: number
  page: MessagePage
}

async function ask(shown: ShownMessages, place: MessagePlace): Promise<Asked> {
  return {
    known: idsOf(shown),
    heard: shown.heard.length,
    page: await shown.data.messages(shown.id, PAGE, place),
  }
}

/** @param isWanted asked when the page is here: what is shown may be another place by then */
async function readPage(shown: ShownMessages, place: MessagePlace, isWanted: () => boolean): Promise<void> {
  shown.pages += 1
  try {
    const asked = await ask(shown, place)
    if (shown.isClosed || !isWanted()) return
    const { before, after } = asked.page
    show(shown, asked, place.around === undefined ? shown.known : [], {
      ...(place.after === undefined && { hasOlder: before !== null }),
      ...(place.before === undefined && { hasNewer: after !== null }),
    })
    // what was missed meanwhile was not read, for there was a hole
    if (after === null) await readNewest(shown)
  } finally {
    shown.pages -= 1
  }
}

function showNewest(shown: ShownMessages, asked: Asked): void {
  const { page, known } = asked
  const { hasNewer, hasOlder, loaded } = shown.store.get()
  if (hasNewer) return
  // where the page does not reach what is known, there is a hole between them: begin again with the page
  const joins = loaded && page.messages.some(({ message_id }) => known.includes(message_id))
  const last = joins ? (known.at(-1) ?? 0) : 0
  // what came meanwhile was heard
  const kept = shown.known.filter(({ message_id }) => message_id <= last)
  show(shown, asked, kept, { hasOlder: joins ? hasOlder : page.before !== null })
}

/** What changes the messages from outside, beside what is being read. */
function hear(shown: ShownMessages, change: Change): void {
  if (shown.pages === 0 && !shown.newest.isReading()) shown.heard = []
  shown.heard.push(change)
  const before = shown.known
  shown.known = change(before, shown.store.get().hasNewer)
  if (shown.known !== before) showAgain(shown)
}

/** Shows a page with what is kept, and over both what was heard since it was asked for. */
function show(
  shown: ShownMessages,
  { page, heard }: Asked,
  kept: readonly KnownMessage[],
  more: Partial<ConversationState>,
): void {
  const state = { ...shown.store.get(), loaded: true, error: undefined, ...more }
  shown.known = shown.heard
    .slice(heard)
    .reduce<readonly KnownMessage[]>(
      (messages, change) => change(messages, state.hasNewer),
      withRows(kept, page.messages),
    )
  shown.store.set({ ...state, messages: messagesOf(shown) })
}

function showAgain(shown: ShownMessages): void {
  if (!shown.isClosed) shown.store.update((state) => ({ ...state, messages: messagesOf(shown) }))
}

/** What the office has, as it will be, and after it what it has not got yet. */
function messagesOf(shown: ShownMessages): readonly ChatMessage[] {
  const { known, unsent, me } = shown
  const isMessage = ({ kind }: OutboxItem) => kind === MESSAGE
  const messages = withUnsent(known, unsent.filter(isMessage), me)
  return withChanges(
    messages,
    unsent.filter((item) => !isMessage(item)),
    ownIdOf(shown),
  )
}
