import { type GeneratedAlways, sql } from 'kysely'
import type { MemberRecord } from '../../directory/members.ts'
import type { Db } from '../../platform/database/database.ts'
import {
  type IdentityOrganizationId,
  type IdentityUserId,
  type OrganizationId,
  trusted,
  type UserId,
} from '../../platform/ids.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    identity_changes: {
      id: GeneratedAlways<string>
      organization_id: string
      user_id: string | null
      revision: string
      attempts: number
      next_attempt_at: Date
    }
  }
}

/** Something that the identity provider has to be told, as it stands now. Rows are made by triggers. */
export interface IdentityChange {
  id: string
  revision: string
  attempts: number
  organization: { id: OrganizationId; identityId: IdentityOrganizationId; name: string }
  /** The membership that has changed; undefined: the organization itself. */
  member: { id: UserId; identityId: IdentityUserId; role: MemberRecord['role'] | undefined } | undefined
}

interface ChangeRow {
  id: string
  revision: string
  attempts: number
  organizationId: string
  organizationIdentityId: string
  name: string
  userId: string | null
  userIdentityId: string | null
  role: MemberRecord['role'] | null
}

/** What is due, longest waiting first. */
export async function listIdentityChanges(db: Db, now: Date, limit: number): Promise<IdentityChange[]> {
  const { rows } = await sql<ChangeRow>`
    select c.id, c.revision, c.attempts, o.id as "organizationId",
      o.identity_organization_id as "organizationIdentityId", o.name, u.id as "userId",
      u.identity_user_id as "userIdentityId", m.role
    from identity_changes c
    join organizations o on o.id = c.organization_id
    left join users u on u.id = c.user_id
    left join memberships m on m.organization_id = c.organization_id and m.user_id = c.user_id
      and m.status = 'active'
    where c.next_attempt_at <= ${now}
    order by c.next_attempt_at, c.id limit ${limit}`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    revision: row.revision,
    attempts: row.attempts,
    organization: {
      id: trusted.organizationId(row.organizationId),
      identityId: trusted.identityOrganizationId(row.organizationIdentityId),
      name: row.name,
    },
    member:
      row.userId === null || row.userIdentityId === null
        ? undefined
        : {
            id: trusted.userId(row.userId),
            identityId: trusted.identityUserId(row.userIdentityId),
            role: row.role ?? undefined,
          },
  }))
}

/** The provider knows. A change that came after it was read stays to be told. */
export async function settleIdentityChange(db: Db, change: IdentityChange): Promise<void> {
  await db
    .deleteFrom('identity_changes')
    .where('id', '=', change.id)
    .where('revision', '=', change.revision)
    .execute()
}

/** The provider could not be told: later again, unless something newer is due by then. */
export async function postponeIdentityChange(db: Db, change: IdentityChange, until: Date): Promise<void> {
  await db
    .updateTable('identity_changes')
    .set({ attempts: change.attempts + 1, next_attempt_at: until })
    .where('id', '=', change.id)
    .where('revision', '=', change.revision)
    .execute()
}
