import { change, type Entries, forget, inOrder, itemOf, publish } from './entries.ts'
import type { StoredEntry } from './entry.ts'
import type { OutboxSender } from './sender.ts'
import { verdictOf } from './verdict.ts'

export interface Sending {
  readonly entries: Entries
  readonly senders: Readonly<Record<string, OutboxSender>>
  /** What the store has is known: before that its order is not. */
  isRead: boolean
  closed: boolean
}

/** The office works on two requests of a person at a time. */
const AT_ONCE = 2

/** Sends the first entry of each lane that is free, where it is this tab that sends. */
export function sendNext(sending: Sending): void {
  const { entries, senders, closed, isRead } = sending
  const { stored, lanes, tab } = entries
  publish(entries)
  if (closed || entries.paused || !isRead || !tab.isSending()) return
  const seen = new Set<string>()
  for (const entry of stored) {
    const { lane, kind, refused } = entry
    if (refused || seen.has(lane)) continue
    seen.add(lane)
    if (senders[kind] && lanes.isFree(lane) && lanes.busy() < AT_ONCE)
      void attempt(sending, entry, senders[kind])
  }
}

async function attempt(sending: Sending, entry: StoredEntry, sender: OutboxSender): Promise<void> {
  const { entries } = sending
  const { store, lanes } = entries
  lanes.begin(entry.lane, entry.id)
  publish(entries)
  try {
    const answer = await sender.send(itemOf(entries, entry), entry)
    // also where the page goes: what the office has is not sent again
    await inOrder(entries, () => store.remove(entry.position))
    lanes.succeed(entry.lane)
    if (!sending.closed) sender.onSent?.(itemOf(entries, entry), answer)
    forget(entries, entry)
    entries.tab.tell({ what: 'sent', id: entry.id, answer })
  } catch (error) {
    if (!sending.closed) await judge(entries, entry, error)
  }
  sendNext(sending)
}

async function judge(entries: Entries, entry: StoredEntry, error: unknown): Promise<void> {
  const verdict = verdictOf(error)
  if (verdict.what === 'again') entries.lanes.fail(entry.lane, error, verdict.retryAfterSeconds)
  else entries.lanes.succeed(entry.lane)
  if (verdict.what === 'pause') entries.paused = true
  if (verdict.what === 'refused') await change(entries, { ...entry, refused: verdict.refusal })
}
