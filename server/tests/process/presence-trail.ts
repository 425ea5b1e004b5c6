import pg from 'pg'
import { databaseOf } from './office-process.ts'

/** What the tables of presence have been through, written down by triggers in the transactions themselves. */
export interface PresenceTrail {
  read(): Promise<{
    changes: { user: string; before: string; status: string }[]
    rows: { id: bigint; user: string; status: string; event: string; leftAt: Date | null }[]
    /** All stored statuses. */
    current: Map<string, string>
  }>
  /** Rows of the outbox that no relay has taken yet, and the id of the newest one there ever was. */
  outbox(): Promise<{ waiting: number; newest: bigint }>
  /** Forgets what was written down. */
  begin(): Promise<void>
}

const TRIGGERS = `
  create table trail_changes (at bigint generated always as identity, user_id bigint, before text, status text);
  create table trail_rows (id bigint primary key, payload jsonb, left_at timestamptz);
  create function trail_change() returns trigger language plpgsql as $$ begin
    insert into trail_changes (user_id, before, status) values (new.user_id, old.status, new.status);
    return null;
  end $$;
  create function trail_row() returns trigger language plpgsql as $$ begin
    insert into trail_rows (id, payload) values (new.id, new.payload);
    return null;
  end $$;
  create function trail_left() returns trigger language plpgsql as $$ begin
    update trail_rows set left_at = clock_timestamp() where id = old.id;
    return null;
  end $$;
  create trigger trail_change after update of status on presence
    for each row when (old.status is distinct from new.status) execute function trail_change();
  create trigger trail_row after insert on centrifugo_outbox for each row execute function trail_row();
  create trigger trail_left after delete on centrifugo_outbox for each row execute function trail_left();`

/** Puts the triggers into the embedded database of an office that runs. */
export async function layTrail(folder: string): Promise<PresenceTrail> {
  await query(folder, TRIGGERS)
  return {
    async read() {
      const changes = await query<{ user: string; before: string; status: string }>(
        folder,
        `select u.identity_user_id as user, c.before, c.status
           from trail_changes c join users u on u.id = c.user_id order by c.at`,
      )
      const rows = await query<{
        id: string
        user: string
        status: string
        event: string
        leftAt: Date | null
      }>(
        folder,
        `select id, payload->'data'->'data'->>'userId' as user, payload->'data'->'data'->>'status' as status,
             payload->'data'->>'id' as event, left_at as "leftAt"
           from trail_rows where payload->>'channel' like 'status:%' order by id`,
      )
      const stored = await query<{ user: string; status: string }>(
        folder,
        'select u.identity_user_id as user, p.status from presence p join users u on u.id = p.user_id',
      )
      return {
        changes,
        rows: rows.map((row) => ({ ...row, id: BigInt(row.id) })),
        current: new Map(stored.map(({ user, status }) => [user, status])),
      }
    },
    async outbox() {
      const [row] = await query<{ waiting: number; newest: string }>(
        folder,
        `select (select count(*)::int from centrifugo_outbox) as waiting,
           coalesce((select max(id) from trail_rows), 0) as newest`,
      )
      return { waiting: row?.waiting ?? 0, newest: BigInt(row?.newest ?? 0) }
    },
    async begin() {
      await query(folder, 'delete from trail_changes; delete from trail_rows where left_at is not null')
    },
  }
}

/** On a connection of its own: the database may have been killed since the last one. */
async function query<Row>(folder: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: await databaseOf(folder) })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement)).rows as Row[]
  } finally {
    await client.end()
  }
}
