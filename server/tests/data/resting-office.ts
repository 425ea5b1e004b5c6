import type pg from 'pg'
import { vacuum } from './vacuumed.ts'

/** Of each organization that is seeded. */
const PEOPLE = 10
const STAYS = 40

/**
 * Organizations that have been at work for a month, without a present person: what rests in every table that background
 * work looks through.
 * @param count how many there are in the end
 */
export async function seedResting(pool: pg.Pool, count: number): Promise<void> {
  const client = await pool.connect()
  try {
    // neither triggers nor foreign keys: they would be most of the time
    await client.query('begin; set local session_replication_role = replica')
    const { rows } = await client.query<{ have: string }>('select count(*) as have from organizations')
    const added = { from: Number(rows[0]?.have) + 1, to: count }
    for (const statement of SEED) await client.query(statement, [added.from, added.to])
    await client.query('commit')
    await vacuum(client)
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
}

/** Parameters: the first and the last organization. Every `o` is an organization, every `p` one of its people. */
const ORGANIZATIONS = 'generate_series($1::int, $2::int) o'
const EVERYBODY = `${ORGANIZATIONS}, generate_series(1, ${PEOPLE}) p`
const USER = `((o - 1) * ${PEOPLE} + p)`
const ROOM = `md5('room ' || o)::uuid`
const SEED = [
  `insert into organizations (id, identity_organization_id, name, created_at, updated_at) overriding system value
   select o, 'org_' || o, 'Organization ' || o, now() - interval '60 days', now() - interval '60 days'
   from ${ORGANIZATIONS}`,
  `insert into users (id, identity_user_id, email, display_name, created_at, updated_at) overriding system value
   select ${USER}, 'user_' || ${USER}, 'person' || p || '@company' || o || '.example',
     initcap(translate(md5(${USER}::text), '0123456789', 'ghijklmnop')) || ' ' || p, now(), now()
   from ${EVERYBODY}`,
  `insert into memberships (organization_id, user_id, role, status, created_at, updated_at)
   select o, ${USER}, case p when 1 then 'admin' else 'member' end, 'active', now(), now() from ${EVERYBODY}`,
  `insert into sessions (token_hash, user_id, active_organization_id, method, created_at, last_seen_at,
     idle_expires_at, absolute_expires_at, sso_organization_id)
   select sha256(('session ' || ${USER})::bytea), ${USER}, o, case when o % 5 = 0 then 'sso' else 'magic_auth' end, now(), now(), now() + interval '7 days',
     now() + interval '30 days', case when o % 5 = 0 then o end from ${EVERYBODY}`,
  `insert into presence (organization_id, user_id, status, confirmed_at, revision)
   select o, ${USER}, 'offline', now() - interval '1 day', 2 from ${EVERYBODY}`,
  `insert into presence_revisions (organization_id, revision) select o, ${PEOPLE} from ${ORGANIZATIONS}`,
  `insert into presence_meetings (user_id, read_next_at, change_at)
   select ${USER}, now() - interval '1 day', null from ${EVERYBODY} where p <= 3`,
  `insert into organization_domains (organization_id, domain, state, challenge, created_at, verified_at, proven_by_dns,
     looked_up_at)
   select o, 'company' || o || '.example', 'verified', 'atrium-' || o, now(), now(), true, now() from ${ORGANIZATIONS}
   where o % 5 = 0`,
  `insert into sso_connections (identity_organization_id, issuer, client_id, sealed_client_secret, trusts_email,
     created_at, redirect_name, shares_address)
   select 'org_' || o, 'https://login.company' || o || '.example', 'us', '', false, now(), md5('connection ' || o), false
   from ${ORGANIZATIONS} where o % 5 = 0`,
  `insert into rooms (id, organization_id, name, created_by, created_at)
   select ${ROOM}, o, 'Room', (o - 1) * ${PEOPLE} + 1, now() from ${ORGANIZATIONS}`,
  `insert into media_rooms (sid, organization_id, room_id, started_at, counted, ended_at, ended_by)
   select 'RM_' || o || '_' || n, o, ${ROOM}, now() - interval '30 minutes', true, now() - interval '20 minutes', 'event'
   from ${ORGANIZATIONS}, generate_series(1, 4) n`,
  `insert into media_participants (sid, organization_id, room_sid, room_id, identity, user_id, counts, waits, joined_at,
     counted, ended_at, ended_by, seconds)
   select 'PA_' || o || '_' || n, o, 'RM_' || o || '_' || n, ${ROOM}, 'user_' || n,
     (o - 1) * ${PEOPLE} + 1 + n % ${PEOPLE}, true, false, now() - n * interval '14 hours', true,
     now() - n * interval '14 hours' + interval '20 minutes', 'event', 1200
   from ${ORGANIZATIONS}, generate_series(2, ${STAYS}) n`,
  `insert into media_tracks (sid, organization_id, room_sid, participant_sid, source, type, published_at, ended_at,
     ended_by)
   select 'TR_' || o || '_' || n, o, 'RM_' || o, 'PA_' || o, 'camera', 'video', now() - interval '40 minutes',
     now() - interval '20 minutes', 'room' from ${ORGANIZATIONS}, generate_series(1, 4) n`,
  `insert into media_jobs (kind, key, organization_id, room_id, variety, started_at, counted, ended_at, result, seconds)
   select 'egress', 'EG_' || o || '_' || n, o, ${ROOM}, 'room_composite', now() - n * interval '5 days', true,
     now() - n * interval '5 days' + interval '1 hour', 'success', 3600
   from ${ORGANIZATIONS}, generate_series(1, 3) n`,
  `insert into recordings (id, organization_id, room_id, egress_id, state, conference_topic, zone_id, participants,
     started_by, requested_at, started_at, ended_at, file_key)
   select md5('recording ' || o || ' ' || n)::uuid, o, ${ROOM}, 'EG_' || o || '_' || n, 'completed', '', '', '',
     (o - 1) * ${PEOPLE} + 1, now() - n * interval '12 hours', now() - n * interval '12 hours',
     now() - n * interval '12 hours' + interval '1 hour', 'recordings/' || o || '/' || n || '.mp4'
   from ${ORGANIZATIONS}, generate_series(1, 3) n`,
  `insert into media_events (event_id, received_at, event, processed_at)
   select 'EV_' || o || '_' || n, now() - interval '5 minutes', '{}', now() - interval '5 minutes'
   from ${ORGANIZATIONS}, generate_series(1, 4) n`,
  `insert into metric_series (organization_id, metric, labels, value)
   select o, 'rtc_rooms_started_total', 'org_id="org_' || o || '"', n from ${ORGANIZATIONS}, generate_series(4, 4) n`,
  `insert into guest_invites (id, organization_id, room_id, created_by, created_at, expires_at, allow_all, allowed_admins)
   select 'invite ' || o || ' ' || n, o, ${ROOM}, (o - 1) * ${PEOPLE} + 1, now() - interval '2 days',
     now() + interval '20 days', true, '{}' from ${ORGANIZATIONS}, generate_series(1, 3) n`,
  `insert into guests (id, organization_id, room_id, invite_id, name, invited_by, allow_all, allowed_admins, expires_at,
     state, since, absent_at, created_at)
   select md5('guest ' || o || ' ' || n)::uuid, o, ${ROOM}, 'invite ' || o || ' ' || n, 'Guest',
     (o - 1) * ${PEOPLE} + 1, true, '{}', now() + interval '20 days', 'left', now() - interval '2 days',
     now() - interval '2 days', now() - interval '2 days'
   from ${ORGANIZATIONS}, generate_series(1, 3) n`,
  `insert into knocks (id, organization_id, from_user_id, to_user_id, created_at, expires_at, outcome, ended_at)
   select md5('knock ' || o || ' ' || n)::uuid, o, (o - 1) * ${PEOPLE} + 1, (o - 1) * ${PEOPLE} + 2,
     now() - interval '6 minutes', now() - interval '5 minutes', 'accept', now() - interval '5 minutes'
   from ${ORGANIZATIONS}, generate_series(1, 3) n`,
  `insert into recovery_links (token_hash, organization_id, user_id, created_at, expires_at)
   select sha256(('link ' || o)::bytea), o, (o - 1) * ${PEOPLE} + 1, now() - interval '1 hour',
     now() - interval '30 minutes' from ${ORGANIZATIONS}`,
  `insert into email_codes (email, browser_hash, code_hash, created_at, expires_at, ended_at)
   select 'person1@company' || o || '.example', '', '', now() - interval '1 hour', now() - interval '50 minutes',
     now() - interval '1 hour' from ${ORGANIZATIONS}`,
  `insert into invitations (identity_invitation_id, organization_id, email, role, inviter_user_id, token_hash,
     sealed_token, created_at, updated_at, expires_at)
   select 'invitation_' || o || '_' || n, o, 'invited' || n || '@company' || o || '.example', 'member',
     (o - 1) * ${PEOPLE} + 1, sha256(('invitation ' || o || ' ' || n)::bytea), '', now(), now(),
     now() + interval '7 days' from ${ORGANIZATIONS}, generate_series(1, 3) n`,
  `insert into exports (id, organization_id, started_by, state, started_at, ended_at, expires_at, object_key)
   select md5('export ' || o)::uuid, o, (o - 1) * ${PEOPLE} + 1, 'expired', now() - interval '20 days',
     now() - interval '20 days', now() - interval '13 days', 'exports/' || o from ${ORGANIZATIONS}`,
]
