import type { PresenceRecord } from '@atrium/contract'

type Status = PresenceRecord['status']

export interface StatusBookOptions {
  /** Reads the statuses of 1 to 100 people; who is unknown is left out. */
  snapshot(userIds: string[]): Promise<PresenceRecord[]>
  /** Told of every status that differs from the one before. Undefined: the organization has no such member. */
  onChange(userId: string, status: Status | undefined): void
  /** For tests: how long to wait before a failed snapshot is tried again. */
  retryAfterMs?: (attempt: number) => number
}

/** What is known of the people who are followed: snapshots, and the deltas that come after them. */
export interface StatusBook {
  /** Their deltas arrive from now on. What was known before may have changed unseen: a snapshot is taken. */
  hydrate(userId: string): void
  /** A status that was published. Applied after the snapshot that is on its way, if there is one. */
  delta(record: PresenceRecord): void
  /** A status that is known to be the newest: any on its way is older. */
  told(record: PresenceRecord): void
  forget(userId: string): void
  get(userId: string): Status | undefined
  all(): ReadonlyMap<string, Status>
  close(): void
}

const SNAPSHOT_IDS_MAX = 100
/** Subscriptions of one connection are confirmed together: their snapshots become one request. */
const GATHER_MS = 5
const RETRY_MS = { first: 500, most: 20_000 }

/** A book, for the functions below. */
interface Book {
  readonly options: StatusBookOptions
  readonly known: Map<string, Status>
  /** Who waits for a snapshot, with the newest delta that came meanwhile. */
  readonly waiting: Map<string, { delta: Status | undefined }>
  /** Who is in none that is on its way. */
  queue: Set<string>
  timer: ReturnType<typeof setTimeout> | undefined
  closed: boolean
}

export function createStatusBook(options: StatusBookOptions): StatusBook {
  const [known, waiting]: [Book['known'], Book['waiting']] = [new Map(), new Map()]
  const book: Book = { options, known, waiting, queue: new Set(), timer: undefined, closed: false }
  return {
    hydrate(userId) {
      waiting.set(userId, { delta: undefined })
      book.queue.add(userId)
      schedule(book, GATHER_MS, 0)
    },
    delta({ userId, status }) {
      const turn = waiting.get(userId)
      if (turn) turn.delta = status
      else set(book, userId, status)
    },
    told({ userId, status }) {
      waiting.delete(userId)
      book.queue.delete(userId)
      set(book, userId, status)
    },
    forget(userId) {
      waiting.delete(userId)
      book.queue.delete(userId)
      known.delete(userId)
    },
    get: (userId) => known.get(userId),
    all: () => known,
    close() {
      book.closed = true
      clearTimeout(book.timer)
    },
  }
}

function set({ options, known }: Book, userId: string, status: Status | undefined): void {
  if (known.get(userId) === status) return
  if (status === undefined) known.delete(userId)
  else known.set(userId, status)
  options.onChange(userId, status)
}

function schedule(book: Book, afterMs: number, attempt: number): void {
  if (book.closed || book.timer !== undefined || book.queue.size === 0) return
  book.timer = setTimeout(() => {
    book.timer = undefined
    const ids = [...book.queue]
    book.queue = new Set()
    for (let at = 0; at < ids.length; at += SNAPSHOT_IDS_MAX)
      void read(book, ids.slice(at, at + SNAPSHOT_IDS_MAX), attempt)
  }, afterMs)
}

async function read(book: Book, ids: string[], attempt: number): Promise<void> {
  const { options, waiting } = book
  const turns = new Map(ids.map((id) => [id, waiting.get(id)]))
  // what arrived before the question is in the answer
  for (const turn of turns.values()) if (turn) turn.delta = undefined
  // a person who was hydrated again, told or forgotten meanwhile is no longer of this snapshot
  const stillOf = (id: string) =>
    !book.closed && turns.get(id) !== undefined && turns.get(id) === waiting.get(id)
  try {
    const records = await options.snapshot(ids)
    const found = new Map(records.map(({ userId, status }) => [userId, status]))
    for (const id of ids.filter(stillOf)) {
      const delta = waiting.get(id)?.delta
      waiting.delete(id)
      set(book, id, delta ?? found.get(id))
    }
  } catch {
    for (const id of ids.filter(stillOf)) book.queue.add(id)
    schedule(book, retryAfter(options, attempt), attempt + 1)
  }
}

function retryAfter({ retryAfterMs }: StatusBookOptions, attempt: number): number {
  return retryAfterMs?.(attempt) ?? Math.min(RETRY_MS.most, RETRY_MS.first * 2 ** attempt)
}
