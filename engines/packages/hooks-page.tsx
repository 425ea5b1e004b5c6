import { createAtriumClient } from '@atrium/client'
import { createStore } from '@atrium/client/store'
import {
  OfficeProvider,
  useChat,
  useConnection,
  useConversation,
  useConversationChoices,
  useConversations,
  useLobby,
  useOffice,
  usePeople,
  useRealtime,
  useRoom,
  useRoomConversation,
  useRooms,
  useSession,
  useStore,
  useThreads,
  useUploads,
} from '@atrium/react'
import { Room } from 'livekit-client'
import { StrictMode, Suspense, use, useEffect } from 'react'
import { createRoot } from 'react-dom/client'

/**
 * Every hook on one page, in StrictMode, and one component that waits in a Suspense: hooks.ts builds it against the
 * installed packages, with React as it is for development, and reads what is shown.
 */
export interface HooksPage {
  /** As it was rendered last. */
  shown(): Shown | undefined
  choose(next: Chosen): void
  /** Into the room, with the client of the media server. */
  enter(roomId: string): Promise<void>
  /** Lets the component that waits go on. */
  release(word: string): void
  /** Connections to the office that are open. */
  sockets(): number
  /** How often something was rendered. */
  renders(): number
}

export interface Chosen {
  roomId?: string
  conversationId?: number
}

export type Shown = ReturnType<typeof useEverything>

const client = createAtriumClient({ baseUrl: new URLSearchParams(location.search).get('office') ?? '' })
const chosen = createStore<Chosen>({})
const waiting = Promise.withResolvers<string>()
const opened = new Set<WebSocket>()
let shown: Shown | undefined
let renders = 0

class CountedSocket extends WebSocket {
  constructor(url: string | URL, protocols?: string | string[]) {
    super(url, protocols)
    opened.add(this)
  }
}
globalThis.WebSocket = CountedSocket

function useEverything() {
  const office = useOffice()
  const session = useSession()
  const { roomId, conversationId } = useStore(chosen)
  const conversation = useConversation(conversationId)
  const ofRoom = useRoomConversation(roomId)
  const lobby = useLobby(roomId)
  return {
    office: office.client === client,
    session: session.state,
    connection: useConnection().state,
    realtime: useRealtime() !== undefined,
    chat: useChat() !== undefined,
    people: usePeople().people.map(({ displayName, status }) => `${displayName}: ${status}`),
    rooms: useRooms().rooms.map(({ name, people }) => `${name}: ${people.length}`),
    room: useRoom(roomId)?.name,
    waiting: lobby.waiting.map(({ guestName }) => guestName),
    admitted: lobby.admitted.map(({ guestName }) => guestName),
    unread: useConversations().unread,
    mentioned: useConversationChoices().mentioned,
    threads: useThreads().list.length,
    uploads: useUploads(conversation.conversation).list.length,
    messages: conversation.messages.map(({ content }) => content),
    roomMessages: ofRoom.messages.map(({ content }) => content),
    roomConversation: ofRoom.conversation !== undefined,
    refused: (ofRoom.refused as { status?: number } | undefined)?.status,
  }
}

function Everything() {
  const all = useEverything()
  const { session } = useOffice()
  const { roomId, conversationId } = useStore(chosen)
  const { waiting: guests, lobby } = useLobby(roomId)
  const { conversation } = useConversation(conversationId)
  const ofRoom = useRoomConversation(roomId)
  useEffect(() => {
    shown = all
    renders += 1
  })
  return (
    <main>
      <button
        type="button"
        onClick={async () => {
          await client.call('devSignIn')
          await session.refresh()
        }}
      >
        Sign in
      </button>
      <button type="button" onClick={() => session.signOut()}>
        Sign out
      </button>
      {guests.map(({ guestIdentity, guestName }) => (
        <button type="button" key={guestIdentity} onClick={() => lobby?.admit(guestIdentity)}>
          Admit {guestName}
        </button>
      ))}
      <button type="button" onClick={() => conversation?.send('And hello')}>
        Answer
      </button>
      <button type="button" onClick={() => ofRoom.conversation?.send('In here')}>
        Write in the room
      </button>
    </main>
  )
}

/** Has hooks, and waits after them: what they have subscribed to changes meanwhile. */
function Waits() {
  const { people } = usePeople()
  const word = use(waiting.promise)
  return (
    <output>
      {word}: {people.length}
    </output>
  )
}

const page: HooksPage = {
  shown: () => shown,
  choose: (next) => chosen.set(next),
  async enter(roomId) {
    const { url = '', token } = await client.call('authorizeRoom', { roomId, username: 'Developer' })
    await new Room().connect(url, token)
  },
  release: (word) => waiting.resolve(word),
  sockets: () => [...opened].filter(({ readyState, url }) => readyState <= 1 && !url.includes('/rtc')).length,
  renders: () => renders,
}
Object.assign(globalThis, { hooksPage: page })

createRoot(document.querySelector('#root') as HTMLElement).render(
  <StrictMode>
    <OfficeProvider client={client}>
      <Everything />
      <Suspense fallback={<p>Waiting</p>}>
        <Waits />
      </Suspense>
    </OfficeProvider>
  </StrictMode>,
)
