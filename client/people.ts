import type { EventData, Member, PresenceRecord } from '@atrium/contract'
import type { AtriumClient } from './index.ts'
import { createRefresher } from './live/refresher.ts'
import type { Realtime, ReceivedEvent } from './realtime.ts'
import { createStore, type Store } from './store.ts'

export type { Member, VisibleStatus } from '@atrium/contract'

/** A member of the organization as they appear now. Of oneself the true status (`appear_offline`). */
export interface Person extends Member {
  status: PresenceRecord['status']
}

export interface PeopleState {
  /** By name, as the office orders them. */
  people: readonly Person[]
  /** All of them were read once. */
  loaded: boolean
  /** Why they could not be read the last time; what is shown may be old. */
  error?: unknown
}

/** The members of the active organization with their presence, kept right by events. */
export interface People extends Store<PeopleState> {
  /** Who of them has this in the name or address, in any case. */
  search(text: string): readonly Person[]
  /** Reads them afresh. Never rejects: `error` of the state says what is wrong. */
  refresh(): Promise<void>
  close(): void
}

const PAGE = 100
/**
 * Events after which the list is another. An older office does not publish them; a newer one may publish more. A
 * member's activity changes often, and stands in the event itself.
 */
const CHANGES = /^(member|profile)\./
/** An inviter of a hundred people makes a hundred events. */
const GATHER_MS = 200

/** Reads the members at once, and follows them over the connection. */
export function createPeople(client: AtriumClient, live: Realtime): People {
  const store = createStore<PeopleState>({ people: [], loaded: false })
  const refresher = createRefresher({
    read: () => readAll(client),
    onRead(members) {
      const before = new Set(store.get().people.map(({ presenceUserId }) => presenceUserId))
      const ids = new Set(members.map(({ presenceUserId }) => presenceUserId))
      live.follow([...ids].filter((id) => !before.has(id)))
      live.unfollow([...before].filter((id) => !ids.has(id)))
      store.set({ people: members.map((member) => personOf(live, member)), loaded: true })
    },
    onError: (error) => store.update((state) => ({ ...state, error })),
    gatherMs: GATHER_MS,
  })
  const ends = [
    live.on('status', ({ userId, status }) => store.update((state) => withStatus(state, userId, status))),
    live.on('event', (event) => {
      const told = presenceOf(event)
      if (told) store.update((state) => withPresence(state, told))
      if (CHANGES.test(event.type) && (!told || refresher.isReading())) refresher.soon()
    }),
    live.on('gap', ({ scope }) => scope === 'organization' && refresher.soon()),
    live.on('unfollowed', refresher.soon),
    live.on('organization', () => {
      store.set({ people: [], loaded: false })
      void refresher.now()
    }),
  ]
  void refresher.now()

  return {
    get: store.get,
    subscribe: store.subscribe,
    search(text) {
      const wanted = text.trim().toLowerCase()
      const fits = (value: string) => value.toLowerCase().includes(wanted)
      return store.get().people.filter(({ displayName, email }) => fits(displayName) || fits(email))
    },
    refresh: refresher.now,
    close() {
      refresher.close()
      for (const end of ends) end()
      live.unfollow(store.get().people.map(({ presenceUserId }) => presenceUserId))
    },
  }
}

async function readAll(client: AtriumClient): Promise<Member[]> {
  const found = new Map<string, Member>()
  for (let offset = 0; ; offset += PAGE) {
    const { data, page } = await client.call('listMembers', { limit: PAGE, offset })
    // who moves between two pages is on both
    for (const member of data) found.set(member.id, member)
    if (data.length === 0 || offset + data.length >= page.total) return [...found.values()]
  }
}

function personOf(live: Realtime, member: Member): Person {
  return { ...member, status: live.statusOf(member.presenceUserId) ?? member.presenceStatus }
}

/** The activity in an event; undefined where something else about the person changed. */
function presenceOf(event: ReceivedEvent): EventData<'profile.updated'> | undefined {
  if (event.type !== 'profile.updated') return undefined
  const told = event.data as EventData<'profile.updated'>
  return told.displayName === undefined ? told : undefined
}

function withPresence(state: PeopleState, told: EventData<'profile.updated'>): PeopleState {
  return {
    ...state,
    people: state.people.map((person) => (person.id === told.userId ? presentAs(person, told) : person)),
  }
}

/** What is left out has not changed; null: there is none. */
function presentAs(person: Person, { userId: _, ...changed }: EventData<'profile.updated'>): Person {
  const values = Object.entries({ ...person, ...changed }).filter(([, value]) => value !== null)
  return Object.fromEntries(values) as unknown as Person
}

function withStatus(state: PeopleState, userId: string, status: Person['status']): PeopleState {
  const concerns = (person: Person) => person.presenceUserId === userId && person.status !== status
  if (!state.people.some(concerns)) return state
  return {
    ...state,
    people: state.people.map((person) => (concerns(person) ? { ...person, status } : person)),
  }
}
