import type { AtriumClient } from '@atrium/client'
import type {
  Chat,
  ChoicesState,
  Conversation,
  ConversationState,
  ConversationsState,
  ThreadsState,
  Upload,
  Uploads,
} from '@atrium/client/chat'
import { createLobby, type Lobby, type LobbyState } from '@atrium/client/guests'
import { createOffice, type Office, type OfficeState } from '@atrium/client/office'
import type { PeopleState } from '@atrium/client/people'
import type { Realtime } from '@atrium/client/realtime'
import type { Room, RoomsState } from '@atrium/client/rooms'
import type { Session, SessionState } from '@atrium/client/session'
import { createStore, type Store } from '@atrium/client/store'
import {
  createContext,
  createElement,
  type FunctionComponentElement,
  type ProviderProps,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'

const OfficeContext = createContext<Office | undefined>(undefined)

export interface OfficeProviderProps {
  /** The same one as long as the provider is shown. */
  client: AtriumClient
  /** The session that the page keeps already, signed in or not. The same one as long as the provider is shown. */
  session?: Session
  children?: ReactNode
}

/** Keeps the session and the connection of everything below it. */
export function OfficeProvider(
  props: OfficeProviderProps,
): FunctionComponentElement<ProviderProps<Office | undefined>> {
  const [office] = useState(() => createOffice(props.client, props.session ? { session: props.session } : {}))
  useEffect(() => office.open(), [office])
  return createElement(OfficeContext.Provider, { value: office }, props.children)
}

/** The office of the provider, for whatever has no hook of its own. @throws Error outside an OfficeProvider */
export function useOffice(): Office {
  const office = useContext(OfficeContext)
  if (!office) throw new Error('useOffice is for components inside an OfficeProvider')
  return office
}

/** Any store of the client: renders again when it changes. */
export function useStore<State>(store: Store<State>): State {
  return useSyncExternalStore(store.subscribe, store.get, store.get)
}

/** Who is signed in. What changes it is `useOffice().session`. */
export function useSession(): SessionState {
  return useStore(useOffice().session)
}

/** Whether the session is connected, and why not. */
export function useConnection(): { state: 'none' | 'connecting' | 'connected' | 'closed'; error?: unknown } {
  const { present, error } = useStore(useOffice())
  const state = useStore<'none' | 'connecting' | 'connected' | 'closed'>(present?.connection ?? NO_CONNECTION)
  return error === undefined ? { state } : { state, error }
}

/** The realtime connection, for events that have no hook of their own; undefined while there is none. */
export function useRealtime(): Realtime | undefined {
  return useStore<OfficeState>(useOffice()).present?.live
}

/**
 * The members of the active organization, with their presence.
 * @param select a part of them: renders again when that part is another one, by identity
 */
export function usePeople(): PeopleState
export function usePeople<Part>(select: (state: PeopleState) => Part): Part
export function usePeople<Part>(select?: (state: PeopleState) => Part): PeopleState | Part {
  return usePart(usePresent()?.people ?? NOBODY, select)
}

/**
 * The rooms of the active organization, with who is inside, how many guests, and whether they are recorded.
 * @param select a part of them: renders again when that part is another one, by identity
 */
export function useRooms(): RoomsState
export function useRooms<Part>(select: (state: RoomsState) => Part): Part
export function useRooms<Part>(select?: (state: RoomsState) => Part): RoomsState | Part {
  return usePart(usePresent()?.rooms ?? NO_ROOMS, select)
}

function usePart<State, Part>(store: Store<State>, select?: (state: State) => Part): State | Part {
  const get = () => (select ? select(store.get()) : store.get())
  return useSyncExternalStore(store.subscribe, get, get)
}

/** One room of them; undefined where there is none of that id, or as long as they are not read. */
export function useRoom(roomId: string | undefined): Room | undefined {
  const { rooms, loaded } = useRooms()
  const present = usePresent()
  const room = rooms.find(({ id }) => id === roomId)
  const isMissing = loaded && room === undefined
  // a temporary room is in no list
  useEffect(() => {
    if (isMissing && roomId !== undefined) present?.rooms.lookUp(roomId)
  }, [present, roomId, isMissing])
  return room
}

export type LobbyView = LobbyState & { lobby: Lobby | undefined }

/** The guests of a room whom the caller may decide on, and what lets them in. Undefined: no room is chosen. */
export function useLobby(roomId: string | undefined): LobbyView {
  const office = useOffice()
  const live = useRealtime()
  const [lobby, setLobby] = useState<Lobby>()
  useEffect(() => {
    if (!live || roomId === undefined) return undefined
    const opened = createLobby(office.client, live, roomId)
    setLobby(opened)
    return () => {
      opened.close()
      setLobby(undefined)
    }
  }, [office, live, roomId])
  return { ...useStore<LobbyState>(lobby ?? NO_GUESTS), lobby }
}

/** Chat: opens conversations of two, of groups and of rooms; undefined while there is no connection. */
export function useChat(): Chat | undefined {
  return usePresent()?.chat
}

/** The list of conversations, with what is unread. */
export function useConversations(): ConversationsState {
  return useStore(useChat()?.conversations ?? NO_CONVERSATIONS)
}

/** Drafts, levels and mentions of the person signed in, by conversation. */
export function useConversationChoices(): ChoicesState {
  return useStore(useChat()?.choices ?? NO_CHOICES)
}

/** Threads that the person signed in follows. */
export function useThreads(): ThreadsState {
  return useStore(useChat()?.threads ?? NO_THREADS)
}

export type ConversationView = ConversationState & { conversation: Conversation | undefined }

/** One conversation by its id: what it shows, and what sends to it. Undefined: none is chosen. */
export function useConversation(conversationId: number | undefined): ConversationView {
  const chat = useChat()
  const conversation = conversationId === undefined ? undefined : chat?.conversation(conversationId)
  return { ...useStore(conversation ?? NO_MESSAGES), conversation }
}

export interface UploadsView {
  /** What adds to them and cancels; undefined where no conversation is open. */
  uploads: Uploads | undefined
  list: readonly Upload[]
}

/**
 * The files that are to be sent with the next message to a conversation. They outlive the component, as drafts do.
 * @param place another one in which a message is written, e.g. a thread, has files of its own
 */
export function useUploads(conversation: Conversation | undefined, place = ''): UploadsView {
  const uploads = useMemo(() => conversation?.openUploads(place), [conversation, place])
  return { uploads, list: useStore(uploads ?? NO_UPLOADS) }
}

export interface RoomConversationView extends ConversationView {
  /** Why it could not be opened: `AtriumError` 403 of who never was in the room. */
  refused?: unknown
}

/** The conversation of the room one is in, opened when it is asked for first. Undefined: in none. */
export function useRoomConversation(roomId: string | undefined): RoomConversationView {
  const chat = useChat()
  const live = useRealtime()
  const [opened, setOpened] = useState<{ roomId: string; id?: number; refused?: unknown }>()
  const [attempt, setAttempt] = useState(0)
  // the office hears of an entry a moment after it: what was refused is tried again then
  useEffect(
    () =>
      live?.on('event', (event) => {
        if (event.type === 'room.entered' && event.data.roomId === roomId) setAttempt((before) => before + 1)
      }),
    [live, roomId],
  )
  const isOpen = opened?.roomId === roomId && opened?.id !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt opens it again
  useEffect(() => {
    if (isOpen || !chat || roomId === undefined) return
    let wanted = true
    const keep = (found: { id?: number; refused?: unknown }) => wanted && setOpened({ roomId, ...found })
    chat.openRoom(roomId).then(
      ({ id }) => keep({ id }),
      (refused: unknown) => keep({ refused }),
    )
    return () => {
      wanted = false
    }
  }, [chat, roomId, attempt, isOpen])
  const mine = opened && opened.roomId === roomId ? opened : undefined
  const view = useConversation(mine?.id)
  return mine?.refused === undefined ? view : { ...view, refused: mine.refused }
}

function usePresent() {
  return useStore(useOffice()).present
}

const NO_CONNECTION = createStore('none' as const)
const NOBODY = createStore<PeopleState>({ people: [], loaded: false })
const NO_ROOMS = createStore<RoomsState>({ rooms: [], loaded: false })
const NO_GUESTS = createStore<LobbyState>({ waiting: [], admitted: [], loaded: false })
const NO_CHOICES = createStore<ChoicesState>({ of: new Map(), mentioned: 0, loaded: false })
const NO_THREADS = createStore<ThreadsState>({ list: [], unread: 0, loaded: false })
const NO_CONVERSATIONS = createStore<ConversationsState>({ rows: [], unread: 0, loaded: false })
const NO_UPLOADS = createStore<readonly Upload[]>([])
const NO_MESSAGES = createStore<ConversationState>({
  messages: [],
  loaded: false,
  hasOlder: false,
  hasNewer: false,
  typing: [],
})
