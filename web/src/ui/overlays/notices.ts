import { createStore } from '@atrium/client/store'

export interface Notice {
  /** The same id again takes the place of the one before. */
  id: string
  text: string
  /** More about it, in a quieter line. */
  about?: string
  tone?: 'plain' | 'good' | 'bad'
  /** Each closes it. */
  actions?: readonly { label: string; primary?: boolean; quiet?: boolean; onAction(): void }[]
  /** Of whom it is: their face stands beside it. */
  person?: { id: string; name: string; url: string }
  /** A bar shows how much of its time is left. */
  running?: { sinceMs: number; seconds: number }
  /** Undefined: it stays until it is closed. */
  seconds?: number
  /** The floor's bar shows it, the most urgent first: 1 is a person at a door. Elsewhere it is a notice as any. */
  urgency?: number
  /** Called where the person closes it, or its time is over. */
  onClose?(): void
}

const SECONDS = 8
/** Whether there is a bar that shows what is urgent. */
export const urgentBar = createStore(false)
const store = createStore<readonly Notice[]>([])

/** What is shown beside every screen for a while: from anywhere, also outside React. */
export const notices = {
  get: store.get,
  subscribe: store.subscribe,
  /** @param notice stays where it has actions and says no time */
  show(notice: Omit<Notice, 'id'> & { id?: string }): void {
    const id = notice.id ?? crypto.randomUUID()
    const timed = notice.actions ? {} : { seconds: SECONDS }
    const shown: Notice = { ...timed, ...notice, id }
    store.update((all) => [...all.filter((one) => one.id !== id), shown])
  },
  /** Removes it without calling `onClose`. */
  remove(id: string): void {
    store.update((all) => (all.some((one) => one.id === id) ? all.filter((one) => one.id !== id) : all))
  },
}
