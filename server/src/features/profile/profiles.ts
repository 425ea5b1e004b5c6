import { CompiledQuery } from 'kysely'
import type { TriesSpent } from '../../directory/image-tries.ts'
import type { Db } from '../../platform/database/database.ts'
import { type SharedReader, sharedReads } from '../../platform/database/shared-reads.ts'
import type { OrganizationId, UserId } from '../../platform/ids.ts'

export interface ProfileRow {
  id: string
  email: string
  firstName: string
  lastName: string
  displayName: string
  avatarKey: string | null
  avatarTries: TriesSpent
  createdAt: Date
  updatedAt: Date
  memberships: {
    organizationId: string
    organizationName: string
    logoKey: string | null
    role: 'guest' | 'member' | 'moderator' | 'admin'
    status: 'active' | 'pending' | 'inactive'
    /** Lets guests in, as the organization has decided. */
    admits: boolean
  }[]
  /** Their explicit choice in `organization`, as presence stores it. */
  manualStatus: string | null
  /** Meetings of their calendars show in their status. */
  calendarStatus: boolean
  /** Of the clock that colleagues see; null: none. */
  timeZone: string | null
  /** `reauthRequiredAt`: from when on the person has to consent again, RFC 3339; null while that is not known. */
  calendars: { provider: string; reauthRequiredAt: string | null }[]
  /** Calendars are switched off for `organization`. */
  calendarsOff: boolean
}

interface ProfileKey {
  user: UserId
  organization: OrganizationId | undefined
  now: Date
}

const PROFILES = `
  select u.id, u.email, u.first_name as "firstName", u.last_name as "lastName", u.display_name as "displayName",
    u.avatar_key as "avatarKey", u.image_tries_spent as "triesSpent", u.image_tries_began_at as "triesBeganAt",
    u.created_at as "createdAt", u.updated_at as "updatedAt", u.calendar_status as "calendarStatus",
    u.time_zone as "timeZone",
    coalesce((
      select json_agg(json_build_object('organizationId', identity, 'organizationName', name, 'logoKey', logo_key,
        'role', role, 'status', status, 'admits', admits) order by waits, created_at, organization_id)
      from (
        select o.identity_organization_id as identity, o.name, o.logo_key, m.role, m.status, false as waits,
          m.created_at, m.organization_id, m.role = any(roles_that_admit(m.organization_id)) as admits
        from memberships m join organizations o on o.id = m.organization_id
        where m.user_id = u.id and o.deleted_at is null
        union all
        select w.identity_organization_id, w.organization_name, w.logo_key, w.role, 'pending', true,
          w.created_at, w.organization_id, false
        from waiting_invitations(u.id, $3) w) shown), '[]'::json) as memberships,
    (select p.manual_status from presence p
      where p.organization_id = asked.organization_id and p.user_id = u.id) as "manualStatus",
    coalesce((
      select json_agg(json_build_object('provider', c.provider,
        'reauthRequiredAt', c.reauth_required_at) order by c.provider)
      from calendar_connections c where c.user_id = u.id), '[]'::json) as calendars,
    exists (select 1 from calendar_switches s where s.organization_id = asked.organization_id) as "calendarsOff",
    asked.place::int as place
  from unnest($1::bigint[], $2::bigint[]) with ordinality as asked(user_id, organization_id, place)
  join users u on u.id = asked.user_id`

/** By database: tests have several in one process. */
const readers = new WeakMap<Db, SharedReader<ProfileKey, ProfileRow | undefined>>()

/**
 * A person with all their memberships, oldest first, then invitations that wait for them, and what they chose to be in
 * the organization they work in: the most frequent question of all, and so a shared one.
 */
export function readProfile(
  db: Db,
  user: UserId,
  organization: OrganizationId | undefined,
  now: Date,
  request?: { asksMore: boolean },
): Promise<ProfileRow | undefined> {
  const known = readers.get(db)
  const read = known ?? sharedReads((keys) => readProfiles(db, keys))
  if (!known) readers.set(db, read)
  return read({ user, organization, now }, request)
}

async function readProfiles(db: Db, keys: readonly ProfileKey[]): Promise<(ProfileRow | undefined)[]> {
  const users = keys.map(({ user }) => user)
  const organizations = keys.map(({ organization }) => organization ?? null)
  // of the same moment, or nearly so
  const [first] = keys
  const { rows } = await db.executeQuery<
    Omit<ProfileRow, 'avatarTries'> & { triesSpent: number; triesBeganAt: Date | null; place: number }
  >(CompiledQuery.raw(PROFILES, [users, organizations, first?.now]))
  const profiles = new Array<ProfileRow | undefined>(keys.length).fill(undefined)
  for (const { triesSpent, triesBeganAt, place, ...profile } of rows)
    profiles[place - 1] = { ...profile, avatarTries: { spent: triesSpent, beganAt: triesBeganAt } }
  return profiles
}
