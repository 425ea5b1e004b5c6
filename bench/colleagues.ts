import pg from 'pg'
import { settle } from './settled.ts'

const STATUSES = ['online', 'away', 'busy', 'appear_offline', 'offline']

/** Gives an organization that many people, each with a status that stays. Answers their ids at the identity provider. */
export async function populate(databaseUrl: string, organization: string, people: number): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ id: string; identity_user_id: string }>(
      `with people as (
         insert into users (identity_user_id, email, display_name, created_at, updated_at)
         select 'user_' || lpad(n::text, 26, '0'), 'colleague-' || n || '@example.com', 'Colleague ' || n, now(), now()
         from generate_series(1, $2::int) n returning id, identity_user_id),
       joined as (
         insert into memberships (organization_id, user_id, role, status, created_at, updated_at)
         select o.id, p.id, 'member', 'active', now(), now()
         from people p, organizations o where o.identity_organization_id = $1)
       select id, identity_user_id from people`,
      [organization, people],
    )
    await settle(client)
    const ids = rows.map(({ id }) => id)
    await client.query(
      `insert into presence (organization_id, user_id, status, confirmed_at)
       select o.id, p.id, 'offline', now()
       from unnest($2::bigint[]) p (id), organizations o where o.identity_organization_id = $1`,
      [organization, ids],
    )
    // an update, so that it is counted like any change
    await client.query(
      `update presence set status = ($2::text[])[1 + user_id % array_length($2::text[], 1)]
       where user_id = any($1::bigint[])`,
      [ids, STATUSES],
    )
    // none of them has a connection: the poll must not take that for news
    await client.query(`update presence_poll set quiet_until = now() + interval '1 day'`)
    return rows.map(({ identity_user_id }) => identity_user_id)
  } finally {
    await client.end()
  }
}
