import { createStore, type WritableStore } from '../store.ts'
import type { OutboxOwner, OutboxStore, StoredEntry } from './entry.ts'
import type { Lanes } from './lanes.ts'
import type { OutboxItem } from './sender.ts'
import { aloneInPage, type SendingTab } from './sending-tab.ts'

export interface OutboxState {
  /** What the office has not taken yet, in the order in which it was put in. */
  items: readonly OutboxItem[]
  /** How many of them a reload would lose: warn before the page goes. */
  unsaved: number
}

/** What this tab knows of its owner's entries: the functions below keep it, the store and the other tabs in step. */
export interface Entries {
  readonly store: OutboxStore
  readonly lanes: Lanes
  readonly state: WritableStore<OutboxState>
  /** On their way into the store. */
  readonly saving: OutboxItem[]
  stored: readonly StoredEntry[]
  tab: SendingTab
  /** Nothing is sent until the session is another one. */
  paused: boolean
  /** The last read or change of the store. */
  working: Promise<unknown>
}

export function openEntries(store: OutboxStore, lanes: Lanes): Entries {
  const state = createStore<OutboxState>({ items: [], unsaved: 0 })
  const tab = aloneInPage()
  return { store, lanes, state, saving: [], stored: [], tab, paused: false, working: Promise.resolve() }
}

/** Reads and changes of the store, one after the other. */
export function inOrder<Answer>(entries: Entries, work: () => Promise<Answer>): Promise<Answer> {
  const done = entries.working.then(work)
  entries.working = done.catch(() => {})
  return done
}

export function publish(entries: Entries): void {
  const { store, state, saving, stored } = entries
  const items = [...stored.map((entry) => itemOf(entries, entry)), ...saving]
  const lost = store.isDurable() ? saving : items
  state.set({ items, unsaved: lost.filter(({ quiet }) => !quiet).length })
}

export function itemOf(
  { lanes, paused }: Entries,
  { position: _, person: _p, organization: _o, ...entry }: StoredEntry,
): OutboxItem {
  if (entry.refused) return { ...entry, state: 'refused', error: entry.refused }
  const failure = lanes.failureOf(entry.lane)
  const waits = !lanes.isBusyWith(entry.lane, entry.id) && (failure !== undefined || paused)
  return { ...entry, state: waits ? 'waiting' : 'sending', ...failure }
}

/** One that is not on its way to the office. */
export function restingEntry({ stored, lanes }: Entries, id: string): StoredEntry | undefined {
  return stored.find((entry) => entry.id === id && !lanes.isBusyWith(entry.lane, id))
}

/** Reads anew what the store has. @returns the entries that are gone from it */
export async function read(entries: Entries, owner: OutboxOwner, oldest: number): Promise<StoredEntry[]> {
  const before = entries.stored
  const stored = (await entries.store.list(owner)).filter(({ at }) => at >= oldest)
  entries.stored = stored
  publish(entries)
  return before.filter(({ position }) => !stored.some((one) => one.position === position))
}

/** `replaces`: earlier ones of its lane go, but the one that is on its way. */
export async function save(
  entries: Entries,
  owner: OutboxOwner,
  item: OutboxItem,
  replaces: boolean,
): Promise<void> {
  const { store, lanes, saving } = entries
  const { state: _, ...entry } = item
  const position = await store.add({ ...entry, ...owner })
  saving.splice(saving.indexOf(item), 1)
  const before = entries.stored
  entries.stored = [...before, { ...entry, ...owner, position }]
  const isReplaced = ({ lane, id }: StoredEntry) => lane === item.lane && !lanes.isBusyWith(lane, id)
  if (replaces) for (const old of before.filter(isReplaced)) await remove(entries, old)
  entries.tab.tell({ what: 'changed' })
}

export async function change(entries: Entries, entry: StoredEntry): Promise<void> {
  await inOrder(entries, () => entries.store.replace(entry))
  entries.stored = entries.stored.map((one) => (one.position === entry.position ? entry : one))
  publish(entries)
  entries.tab.tell({ what: 'changed' })
}

export async function remove(entries: Entries, entry: StoredEntry): Promise<void> {
  await entries.store.remove(entry.position)
  forget(entries, entry)
  entries.tab.tell({ what: 'changed' })
}

/** The store has it no longer. */
export function forget(entries: Entries, entry: StoredEntry): void {
  entries.stored = entries.stored.filter(({ position }) => position !== entry.position)
  publish(entries)
}
