import { type Chat, createChat } from './chat.ts'
import type { AtriumClient } from './index.ts'
import { followSession } from './live/follow-session.ts'
import { createPeople, type People } from './people.ts'
import { connectRealtime, type Realtime, type RealtimeEvents, type RealtimeOptions } from './realtime.ts'
import { backoffMs, retryAfter } from './requests/backoff.ts'
import { createRooms, type Rooms } from './rooms.ts'
import { createSession, type Session } from './session.ts'
import { createStore, type Store } from './store.ts'

/** Exists while a person is signed in, with an active organization. */
export interface Presence {
  live: Realtime
  connection: Store<RealtimeEvents['state']['state']>
  people: People
  chat: Chat
  /** Read when they are first asked for. */
  readonly rooms: Rooms
}

export interface OfficeState {
  /** Undefined without a signed-in person, and until the connection has its token. */
  present: Presence | undefined
  /** Why a signed-in person has no connection. `session.refresh()` tries again. */
  error?: unknown
}

/** The session, and all that stands while it lasts: for front ends that want it in one place. */
export interface Office extends Store<OfficeState> {
  readonly client: AtriumClient
  readonly session: Session
  /** Asks who is signed in, and connects. Answers what ends that; it may be opened again afterwards. */
  open(): () => void
}

export interface OfficeOptions extends RealtimeOptions {
  /** The one that the page has already; it is not asked again where it knows who is signed in. */
  session?: Session
}

/** Connects at sign-in, again after a switch of the organization, and closes with the session. */
export function createOffice(client: AtriumClient, options: OfficeOptions = {}): Office {
  const session = options.session ?? createSession(client)
  const store = createStore<OfficeState>({ present: undefined })
  let opened = 0
  let key = ''
  let close = () => {}

  const follow = () => {
    const next = keyOf(session)
    if (next === key && !(next !== '' && store.get().error !== undefined)) return
    key = next
    close()
    close = next === '' ? () => {} : come({ client, session, options, store })
  }
  return {
    client,
    session,
    get: store.get,
    subscribe: store.subscribe,
    open() {
      opened += 1
      const unsubscribe = session.subscribe(follow)
      follow()
      if (!options.session || session.get().state === 'unknown')
        session.refresh().catch((error: unknown) => store.set({ present: store.get().present, error }))
      let ended = false
      return () => {
        if (ended) return
        ended = true
        unsubscribe()
        opened -= 1
        if (opened > 0) return
        close()
        close = () => {}
        key = ''
      }
    },
  }
}

/** The code of the close when a session has ended. */
const SESSION_ENDED = 4502

interface Coming {
  client: AtriumClient
  session: Session
  options: RealtimeOptions
  store: ReturnType<typeof createStore<OfficeState>>
}

function come({ client, session, options, store }: Coming): () => void {
  let left = false
  let failures = 0
  let again: ReturnType<typeof setTimeout> | undefined
  let end = () => {}
  store.set({ present: undefined })
  const enter = async () => {
    const live = await connectRealtime(client, options)
    if (left) return live.close()
    const present = presenceOf(client, live, session)
    end = present.close
    store.set({ present: present.presence })
  }
  const tryToEnter = async () => {
    try {
      await enter()
    } catch (error) {
      if (left) return
      store.set({ present: undefined, error })
      const after = retryAfter(error)
      if (after === undefined) return
      failures += 1
      again = setTimeout(tryToEnter, backoffMs(failures, after))
    }
  }
  void tryToEnter()
  return () => {
    left = true
    clearTimeout(again)
    end()
    store.set({ present: undefined })
  }
}

function presenceOf(
  client: AtriumClient,
  live: Realtime,
  session: Session,
): { presence: Presence; close(): void } {
  const connection = createStore(live.state)
  const people = createPeople(client, live)
  const chat = createChat(client, live)
  let rooms: Rooms | undefined
  let closed = false
  const follower = followSession(session, live)
  // before later listeners: what they would read would be refused
  live.on('event', (event) => {
    if (event.type === 'session.ended' && event.data.sessionId === live.sessionId && !closed) session.ended()
  })
  live.on('state', ({ state, code }) => {
    connection.set(state)
    if (state !== 'closed' || closed) return
    if (code === SESSION_ENDED) session.ended()
    // with the membership, say: the office tells who is signed in now, and where
    else void follower.now()
  })
  const presence: Presence = {
    live,
    connection,
    people,
    chat,
    get rooms() {
      rooms ??= createRooms(client, live, people.person)
      // a screen that is just going away may still look
      if (closed) rooms.close()
      return rooms
    },
  }
  return {
    presence,
    close() {
      closed = true
      follower.close()
      rooms?.close()
      people.close()
      chat.close()
      live.close()
    },
  }
}

/** The person of the session and their organization; empty where it has none. */
function keyOf(session: Session): string {
  const now = session.get()
  if (now.state !== 'signed-in' || now.user.currentOrganizationId === '') return ''
  return `${now.user.id} ${now.user.currentOrganizationId}`
}
