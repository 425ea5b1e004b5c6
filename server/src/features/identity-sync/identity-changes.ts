import { sql } from 'kysely'
import type { MemberRecord } from '../../directory/members/members.ts'
import type { Db } from '../../platform/database/database.ts'
import {
  type IdentityOrganizationId,
  type IdentityUserId,
  type OrganizationId,
  trusted,
  type UserId,
} from '../../platform/ids.ts'
import { type Static, Type } from '../../platform/schema.ts'

/** The work queue of what the identity provider has to be told. Triggers enqueue: no statement can forget to. */
export const IDENTITY_QUEUE = 'identity-changes'

/** Where to look: how things stand is read when it is told. */
export interface ChangedPlace {
  organization: OrganizationId
  /** The membership that has changed; undefined: the organization itself. */
  user: UserId | undefined
}

/** As the trigger enqueues it. */
export const ChangePayload = Type.Object({
  organization: Type.String(),
  user: Type.Union([Type.String(), Type.Null()]),
})

export function changedPlace({ organization, user }: Static<typeof ChangePayload>): ChangedPlace {
  return {
    organization: trusted.organizationId(organization),
    user: user === null ? undefined : trusted.userId(user),
  }
}

/** As the trigger makes it. */
export function membershipKey(organization: OrganizationId, user: UserId): string {
  return `${organization} ${user}`
}

/** Something that the identity provider has to be told, as it stands now. */
export interface IdentityChange {
  organization: { identityId: IdentityOrganizationId; name: string }
  member: { identityId: IdentityUserId; role: MemberRecord['role'] | undefined } | undefined
}

interface ChangeRow {
  organization: string
  name: string
  user: string | null
  role: MemberRecord['role'] | null
}

export async function readIdentityChange(
  db: Db,
  { organization, user }: ChangedPlace,
): Promise<IdentityChange | undefined> {
  const { rows } = await sql<ChangeRow>`
    select o.identity_organization_id as organization, o.name, u.identity_user_id as user, m.role
    from organizations o
    left join users u on u.id = ${user ?? null}::bigint
    left join memberships m on m.organization_id = o.id and m.user_id = u.id and m.status = 'active'
    where o.id = ${organization}`.execute(db)
  const row = rows[0]
  if (!row) return undefined
  return {
    organization: { identityId: trusted.identityOrganizationId(row.organization), name: row.name },
    member:
      row.user === null
        ? undefined
        : { identityId: trusted.identityUserId(row.user), role: row.role ?? undefined },
  }
}
