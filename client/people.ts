import type { EventData, Member, PresenceRecord } from '@atrium/contract'
import { AtriumError } from './errors.ts'
import type { AtriumClient } from './index.ts'
import { ALL, createDueReader, type DueReader } from './live/due-reader.ts'
import type { Realtime, ReceivedEvent } from './realtime.ts'
import { createStore, type Store, type WritableStore } from './store.ts'

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
  /** As they appear now; undefined where there is none of that `User.id`. */
  person(userId: string): Person | undefined
  /** Who of them has this in the name or address, in any case. */
  search(text: string): readonly Person[]
  /** Reads them afresh. Never rejects: `error` of the state says what is wrong. */
  refresh(): Promise<void>
  close(): void
}

const PAGE = 100
/** Where people come and go all the time some may be missing: each is read when something is told of them. */
const WHOLE_TRIES = 3
/** Of more who have changed together all are read, where that takes fewer requests. */
const ONE_BY_ONE_MOST = 8
/**
 * Events of people. An older office does not publish them; a newer one may publish more. A member's activity changes
 * often, and stands in the event itself.
 */
const OF_PEOPLE = /^(member|profile)\./
/** An inviter of a hundred people makes a hundred events. */
const GATHER_MS = 200

/** What was read: all, or some, of whom one may be no member any more. */
type Read = { members: Member[] } | { changed: ReadonlyMap<string, Member | undefined> }

/** Reads the members at once, and follows them over the connection: of one who has changed, that one. */
export function createPeople(client: AtriumClient, live: Realtime): People {
  const store = createStore<PeopleState>({ people: [], loaded: false })
  const reader = readerOf(client, live, store)
  const ends = [
    live.on('status', ({ userId, status }) => store.update((state) => withStatus(state, userId, status))),
    live.on('event', (event) => {
      if (!OF_PEOPLE.test(event.type)) return
      const { people, loaded } = store.get()
      const changed = withEvent(people, event)
      if (event.type === 'member.removed') live.unfollow([event.data.presenceUserId])
      if (loaded && changed) store.update((state) => ({ ...state, people: changed }))
      if (!changed || reader.isReading()) reader.soon(userIdOf(event))
    }),
    live.on('gap', ({ scope }) => scope === 'organization' && reader.soon(ALL)),
    live.on('unfollowed', () => reader.soon(ALL)),
    live.on('organization', () => {
      store.set({ people: [], loaded: false })
      void reader.all()
    }),
  ]
  void reader.all()

  return {
    get: store.get,
    subscribe: store.subscribe,
    person: (userId) => store.get().people.find(({ id }) => id === userId),
    search(text) {
      const wanted = text.trim().toLowerCase()
      const fits = (value: string) => value.toLowerCase().includes(wanted)
      return store.get().people.filter(({ displayName, email }) => fits(displayName) || fits(email))
    },
    refresh: reader.all,
    close() {
      reader.close()
      for (const end of ends) end()
      live.unfollow(store.get().people.map(({ presenceUserId }) => presenceUserId))
    },
  }
}

function readerOf(client: AtriumClient, live: Realtime, store: WritableStore<PeopleState>): DueReader {
  const reader = createDueReader<Read>({
    read: (ids) => readDue(client, ids, store.get().people.length),
    onRead(read) {
      const now = (member: Member) => personOf(live, member)
      if ('members' in read) return show(live, store, read.members.map(now))
      let people: readonly Person[] | undefined = store.get().people
      for (const [id, member] of read.changed)
        people = people && withMember(people, id, member && now(member))
      if (people) show(live, store, people)
      else reader.soon(ALL)
    },
    onError: (error) => store.update((state) => ({ ...state, error })),
    // each of a thousand pages reads the same newcomer: not all at once
    gatherMs: () => GATHER_MS + Math.random() * store.get().people.length,
  })
  return reader
}

/** Follows those who are new, and no others than those who are shown. */
function show(live: Realtime, store: WritableStore<PeopleState>, people: readonly Person[]): void {
  const [before, now] = [store.get().people, people].map(
    (list) => new Set(list.map(({ presenceUserId }) => presenceUserId)),
  ) as [Set<string>, Set<string>]
  live.follow([...now].filter((id) => !before.has(id)))
  live.unfollow([...before].filter((id) => !now.has(id)))
  store.set({ people, loaded: true })
}

/**
 * Pages are read one after the other: who is removed, or named anew, between two of them makes another be on neither. A
 * newcomer does not, and is told of.
 */
async function readAll(client: AtriumClient, tries = WHOLE_TRIES): Promise<Member[]> {
  const found = new Map<string, Member>()
  let atFirst: number | undefined
  for (let offset = 0; ; offset += PAGE) {
    const { data, page } = await client.call('listMembers', { limit: PAGE, offset })
    atFirst ??= page.total
    // who moves between two pages is on both
    for (const member of data) found.set(member.id, member)
    if (data.length > 0 && offset + PAGE < page.total) continue
    const isWhole = found.size >= atFirst
    return isWhole || tries === 1 ? [...found.values()] : await readAll(client, tries - 1)
  }
}

function personOf(live: Realtime, member: Member): Person {
  return { ...member, status: live.statusOf(member.presenceUserId) ?? member.presenceStatus }
}

async function readDue(client: AtriumClient, ids: readonly string[], people: number): Promise<Read> {
  if (ids.includes(ALL) || ids.length > Math.max(ONE_BY_ONE_MOST, people / PAGE))
    return { members: await readAll(client) }
  const changed = await Promise.all(ids.map(async (id) => [id, await readOne(client, id)] as const))
  return { changed: new Map(changed) }
}

async function readOne(client: AtriumClient, id: string): Promise<Member | undefined> {
  try {
    return await client.call('getMember', { id })
  } catch (error) {
    if (error instanceof AtriumError && error.status === 404) return undefined
    throw error
  }
}

function userIdOf({ data }: ReceivedEvent): string {
  return (data as { userId?: string } | undefined)?.userId ?? ALL
}

/** @returns undefined where the event does not say it all: a newcomer, another name or picture */
function withEvent(people: readonly Person[], event: ReceivedEvent): readonly Person[] | undefined {
  const change = (to: (person: Person) => Person) =>
    people.map((person) => (person.id === userIdOf(event) ? to(person) : person))
  if (event.type === 'member.removed') return people.filter(({ id }) => id !== event.data.userId)
  if (event.type === 'member.updated') return change((person) => ({ ...person, role: event.data.role }))
  if (event.type !== 'profile.updated' || event.data.displayName !== undefined) return undefined
  return change((person) => presentAs(person, event.data))
}

/** @returns undefined where their place in the list is the office's to say */
function withMember(
  people: readonly Person[],
  id: string,
  person: Person | undefined,
): readonly Person[] | undefined {
  const before = people.find((one) => one.id === id)
  const others = people.filter((one) => one !== before)
  if (!person) return others
  if (before?.displayName === person.displayName) return people.map((one) => (one === before ? person : one))
  // most databases order names by their characters; some by the rules of a language
  if (!others.every((one, at) => at === 0 || isBefore(others[at - 1] as Person, one))) return undefined
  const place = others.findIndex((one) => isBefore(person, one))
  return others.toSpliced(place < 0 ? others.length : place, 0, person)
}

function isBefore(one: Person, other: Person): boolean {
  const [name, otherName] = [one.displayName.toLowerCase(), other.displayName.toLowerCase()]
  return name < otherName || (name === otherName && Number(one.id) < Number(other.id))
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
