import type pg from 'pg'
import { MIGRATIONS_TABLE } from './migration-names.ts'

/**
 * Whether a database can be that of an office, whatever is in it: each of these would be found out later, in the middle of
 * a migration, or by people.
 * @throws Error that goes on after "it cannot be used"
 */
export async function requireUsable(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  const { rows } = await client.query<Facts>(
    `select current_setting('server_encoding') as encoding, current_user as name,
       to_regclass('public.${MIGRATIONS_TABLE}') is not null as migrated,
       has_schema_privilege(n.oid, 'create') as creates,
       exists (select from pg_class c where c.relnamespace = n.oid and c.relname = 'users' and c.relkind = 'r') as taken
     from pg_namespace n where n.nspname = 'public'`,
  )
  const [facts] = rows
  if (!facts) throw new Error('it has no schema "public"')
  if (facts.encoding !== 'UTF8')
    throw new Error(
      `its encoding is ${facts.encoding}, and texts of all languages need UTF8. Make it anew: CREATE DATABASE … TEMPLATE template0 ENCODING 'UTF8'`,
    )
  if (facts.migrated) return
  if (!facts.creates)
    throw new Error(
      `${facts.name} may not create tables in it. Make ${facts.name} its owner, or run there: GRANT CREATE ON SCHEMA public TO "${facts.name}"`,
    )
  if (facts.taken) throw new Error('it holds a table "users" of another program. Give an empty one')
}

interface Facts {
  encoding: string
  name: string
  migrated: boolean
  creates: boolean
  taken: boolean
}
