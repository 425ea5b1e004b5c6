import type { OfficeTime } from '../office-time.ts'
import { randomId } from '../requests/random-id.ts'
import { createStore, type Store } from '../store.ts'
import { KEPT_MS, type OutboxEntry, type OutboxOwner, type OutboxStore, type StoredEntry } from './entry.ts'
import { createLanes } from './lanes.ts'
import { createOwnership } from './ownership.ts'
import { aloneInPage, joinTabs, type TabNews } from './sending-tab.ts'
import { verdictOf } from './verdict.ts'
import { onWake } from './wake.ts'

/** `waiting`: it is sent again by itself; `error` says why it was not. `refused`: it is not. */
export type OutboxItem = Omit<OutboxEntry, keyof OutboxOwner> & {
  state: 'sending' | 'waiting' | 'refused'
  error?: unknown
}

export interface OutboxState {
  /** What the office has not taken yet, in the order in which it was put in. */
  items: readonly OutboxItem[]
  /** How many of them a reload would lose: warn before the page goes. */
  unsaved: number
}

/** What sends entries of one kind. */
export interface OutboxSender {
  /** Rejects as `call` does. Sent as another person or in another organization: with `NotTheirSession`. */
  send(item: OutboxItem, owner: OutboxOwner): Promise<unknown>
  /** The office has it, whichever tab has sent it. */
  onSent?(item: OutboxItem, answer: unknown): void
  /** Another tab has sent or dropped it, and its answer was not heard. */
  onGone?(item: OutboxItem): void
}

export interface NewEntry {
  kind: string
  lane: string
  body: unknown
  /** Random where not given. */
  id?: string
  /** It makes earlier ones of its lane pointless. */
  replaces?: boolean
  quiet?: boolean
}

/** Sends what was put in, each entry exactly once, over lost answers, reloads and tabs. */
export interface Outbox extends Store<OutboxState> {
  /** Never rejects. Resolves when it was tried or stands behind others: its state then says more. */
  put(entry: NewEntry): Promise<void>
  /** Tries what is refused or waits. */
  again(id: string): Promise<void>
  /** Deletes it, unless it is on its way. */
  drop(id: string): Promise<void>
  /** The office may answer again, or the session be another one: tries what waits. */
  wake(): void
  close(): void
}

export interface OutboxOptions {
  store: OutboxStore
  /** Of the session as it is; asked until it is answered. */
  owner(): Promise<OutboxOwner>
  senders: Readonly<Record<string, OutboxSender>>
  time: OfficeTime
  /** Shares the store with other tabs: one of them sends. Where not given: in pages whose store is durable. */
  tabs?: boolean
  random?: () => number
}

/** The office works on two requests of a person at a time. */
const AT_ONCE = 2

export function createOutbox(options: OutboxOptions): Outbox {
  const { store, senders, time, random = Math.random } = options
  const inPage = typeof document !== 'undefined' && typeof BroadcastChannel !== 'undefined'
  const shared = options.tabs ?? (inPage && store.isDurable())
  const state = createStore<OutboxState>({ items: [], unsaved: 0 })
  const lanes = createLanes(run, random)
  const saving: OutboxItem[] = []
  let stored: StoredEntry[] = []
  let tab = aloneInPage()
  let [paused, closed, isRead] = [false, false, false]
  let working: Promise<unknown> = Promise.resolve()
  const ownership = createOwnership(options.owner, enter, random)
  const stopListening = onWake(wake)

  /** Reads and changes of the store, one after the other. */
  function inOrder<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const done = working.then(work)
    working = done.catch(() => {})
    return done
  }
  function publish(): void {
    const items = [...stored.map(itemOf), ...saving]
    const lost = store.isDurable() ? saving : items
    state.set({ items, unsaved: lost.filter(({ quiet }) => !quiet).length })
  }
  function itemOf({ position: _, person: _p, organization: _o, ...entry }: StoredEntry): OutboxItem {
    if (entry.refused) return { ...entry, state: 'refused', error: entry.refused }
    const failure = lanes.failureOf(entry.lane)
    const waits = !lanes.isBusyWith(entry.lane, entry.id) && (failure !== undefined || paused)
    return { ...entry, state: waits ? 'waiting' : 'sending', ...failure }
  }
  function enter(owner: OutboxOwner): void {
    if (closed) return
    if (shared) tab = joinTabs(owner, { onTurn: takeOver, onNews: hear })
    void inOrder(() => store.removeBefore(time.now() - KEPT_MS).catch(() => {}))
    reload()
  }
  /** What the tab before has put in or sent may not have been heard here. */
  function takeOver(): void {
    isRead = false
    reload()
  }
  function reload(): void {
    const owner = ownership.known()
    if (!owner) return
    const read = async () => {
      if (closed) return
      const before = stored
      const oldest = time.now() - KEPT_MS
      stored = (await store.list(owner)).filter(({ at }) => at >= oldest)
      isRead = true
      publish()
      const gone = before.filter(({ position }) => !stored.some((one) => one.position === position))
      for (const entry of gone) senders[entry.kind]?.onGone?.(itemOf(entry))
    }
    inOrder(read).then(run, () => {})
  }
  function hear(news: TabNews): void {
    if (news.what === 'wake') wakeHere()
    if (news.what === 'changed') reload()
    if (news.what !== 'sent') return
    const entry = stored.find(({ id }) => id === news.id)
    if (!entry) return
    senders[entry.kind]?.onSent?.(itemOf(entry), news.answer)
    stored = stored.filter((one) => one !== entry)
    publish()
  }
  function run(): void {
    publish()
    if (closed || paused || !isRead || !tab.isSending()) return
    const seen = new Set<string>()
    for (const entry of stored) {
      const { lane, kind, refused } = entry
      if (refused || seen.has(lane)) continue
      seen.add(lane)
      if (senders[kind] && lanes.isFree(lane) && lanes.busy() < AT_ONCE) void attempt(entry, senders[kind])
    }
  }
  async function attempt(entry: StoredEntry, sender: OutboxSender): Promise<void> {
    lanes.begin(entry.lane, entry.id)
    publish()
    try {
      const answer = await sender.send(itemOf(entry), entry)
      // also where the page goes: what the office has is not sent again
      await inOrder(() => store.remove(entry.position))
      lanes.succeed(entry.lane)
      if (!closed) sender.onSent?.(itemOf(entry), answer)
      forget(entry)
      tab.tell({ what: 'sent', id: entry.id, answer })
    } catch (error) {
      if (!closed) await judge(entry, error)
    }
    run()
  }
  async function judge(entry: StoredEntry, error: unknown): Promise<void> {
    const verdict = verdictOf(error)
    if (verdict.what === 'again') lanes.fail(entry.lane, error, verdict.retryAfterSeconds)
    else lanes.succeed(entry.lane)
    if (verdict.what === 'pause') paused = true
    if (verdict.what === 'refused') await change({ ...entry, refused: verdict.refusal })
  }
  async function change(entry: StoredEntry): Promise<void> {
    await inOrder(() => store.replace(entry))
    stored = stored.map((one) => (one.position === entry.position ? entry : one))
    publish()
    tab.tell({ what: 'changed' })
  }
  function forget(entry: StoredEntry): void {
    stored = stored.filter(({ position }) => position !== entry.position)
    publish()
  }
  async function remove(entry: StoredEntry): Promise<void> {
    await store.remove(entry.position)
    forget(entry)
    tab.tell({ what: 'changed' })
  }
  async function save(item: OutboxItem, replaces: boolean): Promise<void> {
    const owner = await ownership.wanted()
    const { state: _, ...entry } = item
    const position = await store.add({ ...entry, ...owner })
    saving.splice(saving.indexOf(item), 1)
    const before = stored
    stored = [...stored, { ...entry, ...owner, position }]
    const isReplaced = ({ lane, id }: StoredEntry) => lane === item.lane && !lanes.isBusyWith(lane, id)
    if (replaces) for (const old of before.filter(isReplaced)) await remove(old)
    tab.tell({ what: 'changed' })
  }
  function wakeHere(): void {
    paused = false
    lanes.wake()
    ownership.wake()
    run()
  }
  function wake(): void {
    tab.tell({ what: 'wake' })
    wakeHere()
  }
  const isSettled = (id: string) => {
    const item = state.get().items.find((one) => one.id === id)
    return closed || item?.state !== 'sending' || (!saving.includes(item) && !tab.isSending())
  }
  const settled = (id: string) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!isSettled(id)) return
        end()
        resolve()
      }
      const end = state.subscribe(look)
      look()
    })

  return {
    get: state.get,
    subscribe: state.subscribe,
    wake,
    async put({ replaces = false, id = randomId(), ...entry }) {
      const item: OutboxItem = { ...entry, id, at: time.now(), state: 'sending' }
      if (closed) return
      saving.push(item)
      publish()
      inOrder(() => save(item, replaces)).then(run, () => {})
      await settled(id)
    },
    async again(id) {
      const entry = stored.find((one) => one.id === id)
      if (!entry || lanes.isBusyWith(entry.lane, id)) return
      const { refused, ...rest } = entry
      if (refused) await change(rest)
      paused = false
      lanes.wake(entry.lane)
      run()
      if (lanes.isBusyWith(entry.lane, id)) await settled(id)
    },
    async drop(id) {
      const entry = stored.find((one) => one.id === id)
      if (!entry || lanes.isBusyWith(entry.lane, id)) return
      await inOrder(() => remove(entry))
      run()
    },
    close() {
      closed = true
      stopListening()
      ownership.close()
      lanes.close()
      tab.close()
      publish()
    },
  }
}
