/** The owner of entries. They are read and sent only under a session of this person in this organization. */
export interface OutboxOwner {
  /** `User.id` */
  person: string
  organization: string
}

/** Something that the office has not taken yet. */
export interface OutboxEntry extends OutboxOwner {
  /** Names it over all tries: the office takes it once. */
  id: string
  /** What sends it: the name of a sender. */
  kind: string
  /** Entries of a lane leave one after the other, in the order in which they came. */
  lane: string
  body: unknown
  /** When it was put in, in milliseconds since 1970 by the office's time. */
  at: number
  /** Its loss is none that a person is asked about. */
  quiet?: boolean
  /** Why the office does not take it: it is not sent again by itself. */
  refused?: OutboxRefusal
}

/** As an `AtriumError` says it, in a form that can be stored. */
export interface OutboxRefusal {
  status: number
  error?: string
  message: string
}

/** As a store keeps it: later entries have higher positions, in whichever tab they were put in. */
export interface StoredEntry extends OutboxEntry {
  position: number
}

/** Where entries are kept. `outboxStore()` has the one of the page; a program may bring its own. */
export interface OutboxStore {
  /** Whether what was added outlives the page: false where there is no IndexedDB, or where it is full. */
  isDurable(): boolean
  /** Adds it as the last one. @returns its position */
  add(entry: OutboxEntry): Promise<number>
  /** Those of an owner, in order. */
  list(owner: OutboxOwner): Promise<StoredEntry[]>
  /** Those of a person in all organizations, in order. */
  listOf(person: string): Promise<StoredEntry[]>
  /** Writes it in the place of the one of its position; without effect where that is gone. */
  replace(entry: StoredEntry): Promise<void>
  /** Without effect where it is gone. */
  remove(position: number): Promise<void>
  /** Removes what was put in before the moment, of any person. */
  removeBefore(at: number): Promise<void>
}

/** So long an entry waits for its person at most. */
export const KEPT_MS = 7 * 24 * 60 * 60_000
