import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Job } from '../../platform/background/jobs.ts'
import { HOUR_MS } from '../../platform/clock.ts'
import { diskHasRoom, diskWasFull } from '../../platform/database/bounded-pool.ts'
import { type Db, openDatabase, type Pool } from '../../platform/database/database.ts'
import { DISK_FULL } from '../../platform/database/database-errors.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    readiness_probes: { node: string; at: Date }
  }
}

/** Fill more pages than a table and its index have left in those that they end with. */
const ROWS_THAT_NEED_ROOM = 4_000

/** What the database says where it takes no writes, in words for the operator; other faults are not described. */
const REASONS: Readonly<Record<string, string>> = {
  '25006':
    'The database takes no writes: it is read-only, as one is that others have failed over from. DATABASE_URL must lead to the primary',
  [DISK_FULL]: 'The database takes no writes: its disk is full',
}

/** A database that can be read and not written to. */
export class NotWritable extends Error {}

/**
 * Writes a row of this node's own, which fits in the place of the one before. Once any statement has found the disk
 * full, it writes first as many rows as need room, and takes them back.
 * @returns a function that throws NotWritable where the database says why it takes nothing, every other error unchanged
 */
export function writeCheck(pool: Pool): () => Promise<void> {
  const db = openDatabase(pool)
  const node = randomUUID()
  return async () => {
    try {
      if (diskWasFull(pool)) await requireRoom(pool)
      await sql`insert into readiness_probes (node, at) values (${node}, now())
        on conflict (node) do update set at = excluded.at`.execute(db)
    } catch (error) {
      const reason = REASONS[(error as { code?: string }).code ?? '']
      throw reason === undefined ? error : new NotWritable(reason, { cause: error })
    }
  }
}

/** @throws where there is none */
async function requireRoom(pool: Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(
      'insert into readiness_probes (node, at) select gen_random_uuid(), now() from generate_series(1, $1)',
      [ROWS_THAT_NEED_ROOM],
    )
    diskHasRoom(pool)
  } finally {
    await client.query('rollback').catch(() => undefined)
    client.release()
  }
}

/** Forgets nodes that have been gone for a day. */
export function purgeProbesJob(db: Db): Job {
  return {
    name: 'purge-readiness-probes',
    everyMs: HOUR_MS,
    run: async () =>
      void (await sql`delete from readiness_probes where at < now() - interval '1 day'`.execute(db)),
  }
}
