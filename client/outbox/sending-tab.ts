import type { OutboxOwner } from './entry.ts'

/** What tabs of one owner tell each other. */
export type TabNews =
  /** Entries were put in, dropped or changed. */
  | { what: 'changed' }
  /** The office may answer again. */
  | { what: 'wake' }
  /** The office has taken it, and answered this. */
  | { what: 'sent'; id: string; answer: unknown }

export interface SendingTab {
  /** Whether this tab sends; of several tabs one does. */
  isSending(): boolean
  tell(news: TabNews): void
  close(): void
}

interface SendingTabEvents {
  /** Its turn has come: the tab before it is closed. */
  onTurn(): void
  onNews(news: TabNews): void
}

/** Without Web Locks every tab sends: the office takes each entry once all the same. */
export function joinTabs(
  { person, organization }: OutboxOwner,
  { onTurn, onNews }: SendingTabEvents,
): SendingTab {
  const name = `atrium-outbox ${person} ${organization}`
  const channel = new BroadcastChannel(name)
  channel.onmessage = ({ data }) => onNews(data as TabNews)
  const left = new AbortController()
  const locks = typeof navigator === 'undefined' ? undefined : navigator.locks
  let sending = locks === undefined
  const hold = () => {
    if (left.signal.aborted) return undefined
    sending = true
    onTurn()
    return new Promise<void>((release) => left.signal.addEventListener('abort', () => release()))
  }
  const everyTab = () => {
    if (left.signal.aborted) return
    sending = true
    onTurn()
  }
  // a page may be without storage, and then without locks
  locks?.request(name, { signal: left.signal }, hold).catch(everyTab)
  return {
    isSending: () => sending,
    tell: (news) => left.signal.aborted || channel.postMessage(news),
    close() {
      left.abort()
      sending = false
      channel.close()
    },
  }
}

/** Where the store is shared with nothing else. */
export function aloneInPage(): SendingTab {
  return { isSending: () => true, tell() {}, close() {} }
}
