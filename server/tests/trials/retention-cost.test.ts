import { afterEach, expect, it } from 'vitest'
import { shortenTrails } from '../../src/access/audit/audit-retention.ts'
import { pagesOfDue, type RetainedKind } from '../../src/directory/retention.ts'
import { deleteOldMessages } from '../../src/features/chat/retention.ts'
import { purgeRecordingsJob } from '../../src/features/recordings/removal/retention.ts'
import { type Db, openDatabase, openPool } from '../../src/platform/database/database.ts'
import { vacuum } from '../data/vacuumed.ts'
import { type FreshDatabase, freshDatabase } from '../fresh-database.ts'

/** What retention costs goes by what is over, and not by what stays: each table with few rows that stay, and with many. */

const NOW = new Date('2026-11-23T12:00:00Z')
const OVER = 300
const STAYING = [1_000, 20_000] as const
const signer = { keyId: async () => '', sign: async () => 'signed', verify: async () => undefined }

let databases: FreshDatabase[] = []
afterEach(async () => {
  for (const database of databases) await database.drop()
  databases = []
})

/** One organization that keeps everything for 10 days, with a founder, a room and a conversation. */
const SCENE = `
  insert into organizations (identity_organization_id, name, created_at, updated_at)
    select 'org_' || n, 'Acme', now(), now() from generate_series(1, 2) n;
  insert into users (identity_user_id, email, display_name, created_at, updated_at)
    values ('user_1', 'ada@example.com', 'Ada', now(), now());
  insert into organization_retention values ((select min(id) from organizations), 10, 10, 10, null, now());
  insert into rooms (id, organization_id, name, created_by, created_at)
    select gen_random_uuid(), o.id, 'Kitchen', u.id, now() from organizations o, users u;
  insert into conversations (org_id, type, room_id, title, created_at, updated_at)
    select organization_id, 'ROOM', id, 'Kitchen', now(), now() from rooms;`

/** Rows of the first organization: as many as were asked for, of this time and of 20 days ago; the other keeps all. */
const FILLED: Record<RetainedKind, string> = {
  chat: `
    insert into messages (message_id, conversation_id, org_id, sender_id, content, reply_count, is_edited, is_deleted,
      created_at, updated_at)
    select nextval('message_ids'), c.conversation_id, c.org_id, u.id, 'Hello', 0, false, false, at, at
    from generate_series(1, $1::integer + $2::integer) n,
      lateral (select $3::timestamptz - case when n <= $1 then interval '20 days' else interval '1 day' end
        + n * interval '1 ms' as at) t, conversations c, users u`,
  audit: `
    insert into audit_entries (organization_id, sequence, at, actor_kind, action, target_kind, target_id, request_id,
      address, detail, hash, chain)
    select o.id, n, at, 'operator', 'room.created', 'room', '', '', '', '{}', '\\x00', 2
    from generate_series(1, $1::integer + $2::integer) n,
      lateral (select $3::timestamptz - case when n <= $1 then interval '20 days' else interval '1 day' end
        + n * interval '1 ms' as at) t, organizations o`,
  recording: `
    insert into recordings (id, organization_id, room_id, state, conference_topic, zone_id, participants, started_by,
      requested_at, ended_at, file_key)
    select gen_random_uuid(), r.organization_id, r.id, 'completed', '', '', '', u.id, at, at,
      'recordings/' || r.organization_id || '/' || n || '.mp4'
    from generate_series(1, $1::integer + $2::integer) n,
      lateral (select $3::timestamptz - case when n <= $1 then interval '20 days' else interval '1 day' end
        + n * interval '1 ms' as at) t, rooms r, users u`,
}
const TABLES: Record<RetainedKind, string> = {
  chat: 'messages',
  audit: 'audit_entries',
  recording: 'recordings',
}

const RUNS: Record<RetainedKind, (db: Db) => Promise<unknown>> = {
  async chat(db) {
    for await (const due of pagesOfDue(db, 'chat', null, NOW))
      await deleteOldMessages(db, due, new AbortController().signal)
  },
  async audit(db) {
    for await (const due of pagesOfDue(db, 'audit', null, NOW))
      await shortenTrails({ db, signer, now: NOW }, due, new AbortController().signal)
  },
  async recording(db) {
    const storage = { list: async function* () {}, remove: async () => {} }
    const clock = { now: () => NOW }
    await purgeRecordingsJob({ db, clock, storage, fileDays: 90 }).run(new AbortController().signal)
  },
}

/** Rows of a table that one run reads, and how many it leaves. */
async function costOf(kind: RetainedKind, staying: number): Promise<{ read: number; left: number }> {
  const database = await freshDatabase()
  databases.push(database)
  const { pool } = database
  const table = TABLES[kind]
  const filling = await pool.connect()
  await filling.query(SCENE)
  // what is brought back has happened already: no notification, no count
  await filling.query(`set atrium.importing = 'on'`)
  await filling.query(FILLED[kind], [OVER, staying, NOW])
  await filling.query(`insert into audit_heads select organization_id, max(sequence), '\\x00' from audit_entries
    group by organization_id`)
  await vacuum(filling)
  // what this has read is counted now, and not while something else is
  await filling.query('select pg_stat_force_next_flush()')
  await filling.query('select 1')
  filling.release(true)
  // counted where they are read: of one connection, which then says so
  const own = openPool({
    ...{ connectionString: database.connectionString, maxConnections: 1, statementTimeoutMs: 15_000 },
    onIdleError: () => {},
  })
  const rowsRead = async () => {
    await own.query('select pg_stat_force_next_flush()')
    await own.query('select 1')
    const { rows } = await pool.query(
      `select seq_tup_read + coalesce(idx_tup_fetch, 0)
          + (select coalesce(sum(idx_tup_read), 0) from pg_stat_user_indexes i where i.relid = t.relid) as count
        from pg_stat_user_tables t where relname = $1`,
      [table],
    )
    return Number(rows[0].count)
  }
  try {
    const before = await rowsRead()
    await RUNS[kind](openDatabase(own))
    const read = (await rowsRead()) - before
    const { rows } = await pool.query(`select count(*)::int as count from ${table}`)
    return { read, left: rows[0].count }
  } finally {
    await own.end()
  }
}

it.each(Object.keys(TABLES) as RetainedKind[])(
  'of %s: as many rows are read beside 20,000 that stay as beside 1,000',
  async (kind) => {
    const [few, many] = STAYING
    const [small, large] = [await costOf(kind, few), await costOf(kind, many)]
    // of the organization that has decided those that are over have gone; the trail says so in an entry
    const entries = kind === 'audit' ? 1 : 0
    expect([small.left, large.left]).toEqual([OVER + 2 * few + entries, OVER + 2 * many + entries])
    expect(small.read).toBeGreaterThanOrEqual(OVER)
    expect(large.read).toBeLessThanOrEqual(small.read * 1.1)
  },
)
