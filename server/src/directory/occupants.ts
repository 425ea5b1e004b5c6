import { sql } from 'kysely'
import type { Db, Tx } from '../platform/database/database.ts'

export interface Occupants {
  people: number
  /** Whether the organization that was asked for is there, a deleted one too. */
  isThere: boolean
  /** Whether another organization has its internal id: the one that comes with the sandbox, and has no people. */
  isTaken: boolean
}

/** Who is in the whole office. */
export async function describeOccupants(
  db: Db,
  organization: { id: string; organizationId: string },
): Promise<Occupants> {
  const { rows } = await sql<Omit<Occupants, 'people'> & { people: string }>`
    select (select count(*) from users where not is_bot) as people,
      exists (select from organizations where identity_organization_id = ${organization.organizationId}) as "isThere",
      exists (select from organizations where id = ${organization.id}) as "isTaken"`.execute(db)
  const [found] = rows
  if (!found) throw new Error('the database has answered nothing')
  return { ...found, people: Number(found.people) }
}

/** Until the transaction ends no organization is founded and no account made. */
export async function lockOccupants(tx: Tx): Promise<void> {
  await sql`lock table organizations, users in share row exclusive mode`.execute(tx)
}
