import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Job } from '../../platform/background/jobs.ts'
import { HOUR_MS } from '../../platform/clock.ts'
import { type Db, openDatabase, type Pool } from '../../platform/database/database.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    readiness_probes: { node: string; at: Date }
  }
}

/** What the database says where it takes no writes, in words for whoever runs the office; of others nothing is told. */
const REASONS: Readonly<Record<string, string>> = {
  '25006':
    'The database takes no writes: it is read-only, as one is that others have failed over from. DATABASE_URL must lead to the primary',
  '53100': 'The database takes no writes: its disk is full',
}

/** A database that can be read and not written to. */
export class NotWritable extends Error {}

/**
 * Writes a row of this node's own.
 * @returns a function that throws NotWritable where the database says why it takes nothing, and whatever else went wrong
 */
export function writeCheck(pool: Pool): () => Promise<void> {
  const db = openDatabase(pool)
  const node = randomUUID()
  return async () => {
    try {
      await sql`insert into readiness_probes (node, at) values (${node}, now())
        on conflict (node) do update set at = excluded.at`.execute(db)
    } catch (error) {
      const reason = REASONS[(error as { code?: string }).code ?? '']
      throw reason === undefined ? error : new NotWritable(reason, { cause: error })
    }
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
