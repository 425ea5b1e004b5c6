import type { Pool } from 'pg'
import { vacuum } from './vacuumed.ts'

export const PEOPLE_OF_A_TEAM = 10

/**
 * Writes organizations `org_<n>` of ten people each, `user_1` and so on, past triggers and foreign keys, which would be most
 * of the time: a database for measuring.
 */
export async function seedTeams(
  pool: Pool,
  { from, to }: { from: number; to: number },
  status: 'online' | 'offline',
): Promise<void> {
  const everybody = `generate_series(${from}, ${to}) o, generate_series(1, ${PEOPLE_OF_A_TEAM}) p`
  const user = `((o - 1) * ${PEOPLE_OF_A_TEAM} + p)`
  await pool.query(`
    begin; set local session_replication_role = replica;
    insert into organizations (id, identity_organization_id, name, created_at, updated_at) overriding system value
      select o, 'org_' || o, 'Organization ' || o, now(), now() from generate_series(${from}, ${to}) o;
    insert into users (id, identity_user_id, email, display_name, created_at, updated_at) overriding system value
      select ${user}, 'user_' || ${user}, 'person' || ${user} || '@poll.example', 'Person', now(), now() from ${everybody};
    insert into memberships (organization_id, user_id, role, status, created_at, updated_at)
      select o, ${user}, 'member', 'active', now(), now() from ${everybody};
    insert into presence (organization_id, user_id, status, confirmed_at, revision)
      select o, ${user}, '${status}', now(), 2 from ${everybody};
    commit`)
  await vacuum(pool)
}
