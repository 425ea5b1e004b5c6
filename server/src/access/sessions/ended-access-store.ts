import { type Generated, type GeneratedAlways, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { deleteInPieces } from '../../platform/database/delete-in-pieces.ts'
import {
  type IdentityOrganizationId,
  type IdentityUserId,
  type OrganizationId,
  trusted,
  type UserId,
} from '../../platform/ids.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    /** Written by triggers (migration 0019). */
    ended_access: {
      id: GeneratedAlways<string>
      cause: EndingCause
      session_id: string | null
      membership_generation: string | null
      user_id: string
      identity_user_id: string
      organization_id: string | null
      identity_organization_id: string | null
      ended_at: Generated<Date>
    }
  }
}

/** `session-superseded`: the browser goes on under another session. */
export type EndingCause = 'session-ended' | 'session-superseded' | 'membership-ended'

/** The end of a session or of a membership. */
export interface Ending {
  id: string
  cause: EndingCause
  /** Where a session has ended. */
  sessionId: string | null
  /** Where a membership has ended. */
  membershipGeneration: string | null
  user: { id: UserId; identityId: IdentityUserId }
  /** The one that was active, or was left; null: none. */
  organization: { id: OrganizationId; identityId: IdentityOrganizationId } | null
}

/** What has ended within so many seconds by the clock of the database, oldest first. */
export async function listEndings(db: Db, withinSeconds: number): Promise<Ending[]> {
  const rows = await db
    .selectFrom('ended_access')
    .select([
      'id',
      'cause',
      'session_id',
      'membership_generation',
      'user_id',
      'identity_user_id',
      'organization_id',
      'identity_organization_id',
    ])
    .where('ended_at', '>', sql<Date>`clock_timestamp() - make_interval(secs => ${withinSeconds})`)
    .orderBy('id')
    .execute()
  return rows.map((row) =>
    toEnding({
      id: row.id,
      cause: row.cause,
      sessionId: row.session_id,
      membershipGeneration: row.membership_generation,
      userId: row.user_id,
      identityUserId: row.identity_user_id,
      organizationId: row.organization_id,
      identityOrganizationId: row.identity_organization_id,
    }),
  )
}

/** Removes what is of no use to any node: everything minted before it has expired. */
export async function purgeEndings(db: Db, olderThanSeconds: number): Promise<void> {
  await deleteInPieces(
    db,
    'ended_access',
    sql`ended_at < clock_timestamp() - make_interval(secs => ${olderThanSeconds})`,
  )
}

/** Forgets the broker's name of a person after the end of their access, so long ago. */
export async function forgetEndingsOf(db: Db, user: UserId, olderThanSeconds: number): Promise<void> {
  await db
    .updateTable('ended_access')
    .set({ identity_user_id: '' })
    .where('user_id', '=', user)
    .where('ended_at', '<', sql<Date>`clock_timestamp() - make_interval(secs => ${olderThanSeconds})`)
    .execute()
}

/** The payload of a notification `access_ended`. @throws SyntaxError where it is not one */
export function parseEnding(payload: string): Ending {
  return toEnding(JSON.parse(payload) as FlatEnding)
}

interface FlatEnding {
  id: string
  cause: EndingCause
  sessionId: string | null
  membershipGeneration: string | null
  userId: string
  identityUserId: string
  organizationId: string | null
  identityOrganizationId: string | null
}

function toEnding(flat: FlatEnding): Ending {
  const { organizationId, identityOrganizationId } = flat
  return {
    id: flat.id,
    cause: flat.cause,
    sessionId: flat.sessionId,
    membershipGeneration: flat.membershipGeneration,
    user: { id: trusted.userId(flat.userId), identityId: trusted.identityUserId(flat.identityUserId) },
    organization:
      organizationId === null || identityOrganizationId === null
        ? null
        : {
            id: trusted.organizationId(organizationId),
            identityId: trusted.identityOrganizationId(identityOrganizationId),
          },
  }
}
