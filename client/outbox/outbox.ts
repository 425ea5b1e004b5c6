import type { OfficeTime } from '../office-time.ts'
import { randomId } from '../requests/random-id.ts'
import type { Store } from '../store.ts'
import {
  change,
  forget,
  inOrder,
  itemOf,
  type OutboxState,
  openEntries,
  publish,
  read,
  remove,
  restingEntry,
  save,
} from './entries.ts'
import { KEPT_MS, type OutboxOwner, type OutboxStore } from './entry.ts'
import { createLanes } from './lanes.ts'
import { createOwnership, type Ownership } from './ownership.ts'
import type { OutboxItem, OutboxSender } from './sender.ts'
import { type Sending, sendNext } from './sending.ts'
import { joinTabs, type TabNews } from './sending-tab.ts'
import { onWake } from './wake.ts'

export type { OutboxState } from './entries.ts'
export type { OutboxItem, OutboxSender } from './sender.ts'

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

/** An outbox at work, for the functions below. */
interface Working extends Sending {
  readonly ownership: Ownership
  readonly time: OfficeTime
}

export function createOutbox(options: OutboxOptions): Outbox {
  const { store, senders, time, random = Math.random } = options
  const inPage = typeof document !== 'undefined' && typeof BroadcastChannel !== 'undefined'
  const shared = options.tabs ?? (inPage && store.isDurable())
  const entries = openEntries(
    store,
    createLanes(() => sendNext(outbox), random),
  )
  const ownership = createOwnership(options.owner, (owner) => enter(outbox, owner, shared), random)
  const outbox: Working = { entries, senders, ownership, time, isRead: false, closed: false }
  const { state, lanes } = entries
  const wake = () => {
    entries.tab.tell({ what: 'wake' })
    wakeHere(outbox)
  }
  const stopListening = onWake(wake)
  return {
    get: state.get,
    subscribe: state.subscribe,
    wake,
    put: (entry) => put(outbox, entry),
    async again(id) {
      const entry = restingEntry(entries, id)
      if (!entry) return
      const { refused, ...rest } = entry
      if (refused) await change(entries, rest)
      entries.paused = false
      lanes.wake(entry.lane)
      sendNext(outbox)
      if (lanes.isBusyWith(entry.lane, id)) await settled(outbox, id)
    },
    async drop(id) {
      const entry = restingEntry(entries, id)
      if (!entry) return
      await inOrder(entries, () => remove(entries, entry))
      sendNext(outbox)
    },
    close() {
      outbox.closed = true
      stopListening()
      ownership.close()
      lanes.close()
      entries.tab.close()
      publish(entries)
    },
  }
}

function enter(outbox: Working, owner: OutboxOwner, shared: boolean): void {
  const { entries, time, closed } = outbox
  if (closed) return
  /** What the tab before has put in or sent may not have been heard here. */
  const takeOver = () => {
    outbox.isRead = false
    reload(outbox)
  }
  if (shared) entries.tab = joinTabs(owner, { onTurn: takeOver, onNews: (news) => hear(outbox, news) })
  void inOrder(entries, () => entries.store.removeBefore(time.now() - KEPT_MS).catch(() => {}))
  reload(outbox)
}

function reload(outbox: Working): void {
  const { entries, senders, time } = outbox
  const owner = outbox.ownership.known()
  if (!owner) return
  const readAgain = async () => {
    if (outbox.closed) return
    const gone = await read(entries, owner, time.now() - KEPT_MS)
    outbox.isRead = true
    for (const entry of gone) senders[entry.kind]?.onGone?.(itemOf(entries, entry))
  }
  inOrder(entries, readAgain).then(
    () => sendNext(outbox),
    () => {},
  )
}

function hear(outbox: Working, news: TabNews): void {
  const { entries, senders } = outbox
  if (news.what === 'wake') wakeHere(outbox)
  if (news.what === 'changed') reload(outbox)
  if (news.what !== 'sent') return
  const entry = entries.stored.find(({ id }) => id === news.id)
  if (!entry) return
  senders[entry.kind]?.onSent?.(itemOf(entries, entry), news.answer)
  forget(entries, entry)
}

function wakeHere(outbox: Working): void {
  outbox.entries.paused = false
  outbox.entries.lanes.wake()
  outbox.ownership.wake()
  sendNext(outbox)
}

async function put(
  outbox: Working,
  { replaces = false, id = randomId(), ...entry }: NewEntry,
): Promise<void> {
  const { entries, ownership, time, closed } = outbox
  const item: OutboxItem = { ...entry, id, at: time.now(), state: 'sending' }
  if (closed) return
  entries.saving.push(item)
  publish(entries)
  inOrder(entries, async () => save(entries, await ownership.wanted(), item, replaces)).then(
    () => sendNext(outbox),
    () => {},
  )
  await settled(outbox, id)
}

/** Resolves when an entry was tried, stands behind others, or another tab sends it. */
function settled(outbox: Working, id: string): Promise<void> {
  const { state } = outbox.entries
  return new Promise((resolve) => {
    const look = () => {
      if (!isSettled(outbox, id)) return
      end()
      resolve()
    }
    const end = state.subscribe(look)
    look()
  })
}

function isSettled({ entries, closed }: Working, id: string): boolean {
  const item = entries.state.get().items.find((one) => one.id === id)
  return closed || item?.state !== 'sending' || (!entries.saving.includes(item) && !entries.tab.isSending())
}
