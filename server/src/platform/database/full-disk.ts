import type pg from 'pg'
import { onServerFault } from './pg-internals.ts'

/** `disk_full`: a table, an index or the log could not grow. */
export const DISK_FULL = '53100'

const found = new WeakSet<pg.Pool>()

/**
 * Notes when the server says, of whatever statement, that its disk is full: what replaces a row in its own page is still
 * taken then, and a probe that does no more hears of nothing.
 */
export function noteFullDisk(pool: pg.Pool): void {
  pool.on('connect', (client) =>
    onServerFault(client, (code) => {
      if (code === DISK_FULL) found.add(pool)
    }),
  )
}

/** Whether the disk was full, and nobody has found room since. */
export function diskWasFull(pool: pg.Pool): boolean {
  return found.has(pool)
}

/** There is room again. */
export function diskHasRoom(pool: pg.Pool): void {
  found.delete(pool)
}
