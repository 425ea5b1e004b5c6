import { createRefresher, type Refreshing } from './refresher.ts'

/** In the place of an id: everything. */
export const ALL = ''

/** Reads what is due: once for all that is said within a time, and again what was said while it was being read. */
export interface DueReader {
  /** @param id of one thing, or `ALL` */
  soon(id: string): void
  /** Everything, at once. Never rejects. */
  all(): Promise<void>
  /** Something is being read, and may be older than what is known. */
  isReading(): boolean
  /** Discards what is still being read. */
  close(): void
}

export interface DueReading<Read> extends Omit<Refreshing<Read>, 'read'> {
  /** @param ids of all that is due, `ALL` perhaps among them */
  read(ids: readonly string[]): Promise<Read>
}

export function createDueReader<Read>({ read, onRead, ...rest }: DueReading<Read>): DueReader {
  /** How often each was said: a reading is over for what was not said again meanwhile. */
  const due = new Map<string, number>()
  const add = (id: string) => due.set(id, (due.get(id) ?? 0) + 1)
  const refresher = createRefresher({
    async read() {
      const meant = new Map(due)
      return { found: await read([...meant.keys()]), meant }
    },
    onRead({ found, meant }) {
      for (const [id, times] of meant) if (due.get(id) === times) due.delete(id)
      onRead(found)
    },
    ...rest,
  })
  return {
    soon(id) {
      add(id)
      refresher.soon()
    },
    all() {
      add(ALL)
      return refresher.now()
    },
    isReading: refresher.isReading,
    close: refresher.close,
  }
}
