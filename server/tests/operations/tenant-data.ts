import type { TestOffice } from '../office.ts'

/** Tables that something else writes at any time. */
const APART = [
  'identity_changes',
  'room_departures',
  // what the media server tells
  'metric_series',
  'media_rooms',
  'media_participants',
  'media_tracks',
  'media_jobs',
]

/** One text of everything that is stored of an organization: the same text, nothing has changed. */
export async function tenantData(office: TestOffice, organizationId: string): Promise<string> {
  const { pool } = office.database
  const { rows: columns } = await pool.query<{ table: string; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns
      where table_schema = 'public' and column_name in ('organization_id', 'active_organization_id')
        and table_name <> all($1)
      order by table_name`,
    [APART],
  )
  const { rows: found } = await pool.query(
    'select * from organizations where identity_organization_id = $1',
    [organizationId],
  )
  const parts = [JSON.stringify(found)]
  for (const { table, column } of columns) {
    const { rows } = await pool.query(
      `select coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as sum from ${table} t where ${column} = $1`,
      [found[0]?.id],
    )
    parts.push(`${table} ${rows[0].sum}`)
  }
  return parts.join('\n')
}

/** How many things wait in the outbox that name an organization, or somebody in it. */
export async function publishedTo(office: TestOffice, organizationId: string): Promise<number> {
  const { rows } = await office.database.pool.query(
    `select count(*)::int as count from centrifugo_outbox b where exists (
        select 1 from organizations o
        left join memberships m on m.organization_id = o.id left join users u on u.id = m.user_id
        where o.identity_organization_id = $1 and (strpos(b.payload::text, o.identity_organization_id) > 0
          or strpos(b.payload::text, u.identity_user_id) > 0))`,
    [organizationId],
  )
  return rows[0].count
}
