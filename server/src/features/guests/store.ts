import { type ColumnType, type Generated, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { type OrganizationId, type RoomId, trusted, type UserId } from '../../platform/ids.ts'

export type GuestState = 'waiting' | 'admitted' | 'denied' | 'left' | 'expired'

declare module '../../platform/database/database.ts' {
  interface Tables {
    guests: {
      id: string
      organization_id: string
      room_id: string
      /** `jti` of the link. */
      invite_id: string
      /** SHA-256 of the cookie that keeps a browser's place. */
      cookie_hash: Buffer
      name: string
      invited_by: string
      allow_all: boolean
      allowed_admins: ColumnType<string[], readonly string[], readonly string[]>
      expires_at: Date
      state: GuestState
      since: Date
      decided_by: Generated<string | null>
      decided_at: Generated<Date | null>
      denials: Generated<number>
      ask_again_at: Generated<Date | null>
      connection: Generated<string | null>
      seen_at: Date
      enforce_at: Generated<Date | null>
      created_at: Date
    }
  }
}

/** A guest as stored. */
export interface Guest {
  /** The UUID in `guest:<uuid>`. */
  id: string
  organization: OrganizationId
  room: RoomId
  inviteId: string
  name: string
  invitedBy: UserId
  allowAll: boolean
  /** Empty: nobody named. */
  allowedAdmins: readonly UserId[]
  expiresAt: Date
  state: GuestState
  since: Date
  denials: number
  askAgainAt: Date | null
  connection: string | null
}

const COLUMNS = [
  'id',
  'organization_id',
  'room_id',
  'invite_id',
  'name',
  'invited_by',
  'allow_all',
  'allowed_admins',
  'expires_at',
  'state',
  'since',
  'denials',
  'ask_again_at',
  'connection',
] as const

interface GuestRow {
  id: string
  organization_id: string
  room_id: string
  invite_id: string
  name: string
  invited_by: string
  allow_all: boolean
  allowed_admins: string[]
  expires_at: Date
  state: GuestState
  since: Date
  denials: number
  ask_again_at: Date | null
  connection: string | null
}

/** A guest by what the media server calls the room, whose it is: the room is proof enough. */
export async function readGuestOfRoom(db: Db, room: RoomId, id: string): Promise<Guest | undefined> {
  const row = await db
    .selectFrom('guests')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('room_id', '=', room)
    .executeTakeFirst()
  return row && guestOf(row)
}

/** Ids of the guests of a room who are admitted now. */
export async function readAdmitted(db: Db, room: RoomId): Promise<string[]> {
  const rows = await db
    .selectFrom('guests')
    .select('id')
    .where('room_id', '=', room)
    .where('state', '=', 'admitted')
    .where(sql<boolean>`expires_at > now()`)
    .execute()
  return rows.map((row) => row.id)
}

export function guestOf(row: GuestRow): Guest {
  return {
    id: row.id,
    organization: trusted.organizationId(row.organization_id),
    room: trusted.roomId(row.room_id),
    inviteId: row.invite_id,
    name: row.name,
    invitedBy: trusted.userId(row.invited_by),
    allowAll: row.allow_all,
    allowedAdmins: row.allowed_admins.map(trusted.userId),
    expiresAt: row.expires_at,
    state: row.state,
    since: row.since,
    denials: row.denials,
    askAgainAt: row.ask_again_at,
    connection: row.connection,
  }
}
