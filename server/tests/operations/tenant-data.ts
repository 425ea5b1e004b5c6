import pg from 'pg'
import type { TestOffice } from '../office.ts'

/** Tables that something else writes at any time. */
const APART = [
  'room_departures',
  // follows from the entries, as `verifyAuditTrail` holds
  'audit_heads',
  // what the media server tells
  'metric_series',
  'media_rooms',
  'media_participants',
  'media_tracks',
  'media_jobs',
]

/** What may come at any time in tables that are looked at. */
const LATE: Record<string, string> = {
  // a refused way in is written down after the reply, in the trail of its account
  work_items: `queue = 'mail'`,
  audit_entries: `action <> 'member.sign-in-refused'`,
}

/** By database, which has the same tables for as long as it lives. */
const statements = new WeakMap<TestOffice['database'], string>()

/** One text of everything that is stored of an organization: the same text, nothing has changed. */
export async function tenantData(office: TestOffice, organizationId: string): Promise<string> {
  const text = statements.get(office.database) ?? (await statementOf(office))
  statements.set(office.database, text)
  // named, it is planned once for each connection
  const { rows } = await office.database.pool.query<{ part: string }>({
    name: 'tenant-data',
    text,
    values: [organizationId],
  })
  return rows
    .map(({ part }) => part)
    .sort()
    .join('\n')
}

/** One statement for all tables: trials ask thousands of times. */
async function statementOf(office: TestOffice): Promise<string> {
  const { rows: columns } = await office.database.pool.query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns
      where table_schema = 'public' and column_name in ('organization_id', 'active_organization_id', 'org_id')
        and table_name <> all($1)
      order by table_name`,
    [APART],
  )
  const own = '(select id from organizations where identity_organization_id = $1)'
  const parts = columns.map(
    ({ table, column }) =>
      `select '${table} ' || coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as part from ${table} t where ${column} = ${own} and ${LATE[table] ?? true}`,
  )
  const itself = 'select to_jsonb(o)::text as part from organizations o where identity_organization_id = $1'
  return [itself, ...parts].join(' union all ')
}

/**
 * Keeps from now on what is published that names an organization, or one of its members: relays take the rows away.
 * @returns what takes and answers what has come since, but for what names them only by a text that the caller gave
 */
export async function keepPublished(
  { database: { pool } }: TestOffice,
  organizationId: string,
): Promise<(given: string) => Promise<string[]>> {
  const id = pg.escapeLiteral(organizationId)
  await pool.query(`
    create table published_to (payload text);
    create function names_them(text) returns boolean stable language sql as $$
      select exists (select from organizations o
        left join memberships m on m.organization_id = o.id left join users u on u.id = m.user_id
        where o.identity_organization_id = ${id}
          and (strpos($1, o.identity_organization_id) > 0 or strpos($1, u.identity_user_id) > 0)) $$;
    create function keep_published() returns trigger language plpgsql as $$
    begin
      insert into published_to select new.payload::text where names_them(new.payload::text);
      return null;
    end $$;
    create trigger published_kept after insert on centrifugo_outbox
      for each row execute function keep_published();`)
  return async (given) => {
    const { rows } = await pool.query<{ payload: string }>(
      `with taken as (delete from published_to returning payload)
       select payload from taken where names_them(replace(payload, $1, ''))`,
      [given],
    )
    return rows.map(({ payload }) => payload)
  }
}
