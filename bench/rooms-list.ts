import { randomBytes } from 'node:crypto'
import type { Benchmark } from './benchmark.ts'
import { mediaSettings } from './media-deliveries.ts'
import { connected, employ } from './noisy-tenants.ts'
import { openContest, openProduction } from './opening.ts'
import { besidePgbench } from './pgbench.ts'

const ROOMS = 200
const PEOPLE = 500
const CONNECTIONS = 10

export const roomsList: Benchmark = {
  name: 'rooms-list',
  describe: `POST /api/v1/rtc/rooms/list of ${ROOMS} rooms with ${PEOPLE} people in them, as production serves it, against pgbench with the same SQL on the same server over as many connections`,
  unit: 'requests/s',
  goal: { ratioMin: 0.5 },
  prepare: ({ seconds }) =>
    openContest(async (ends) => {
      const secret = randomBytes(32).toString('base64url')
      const { office, running, person, base } = await openProduction(ends, mediaSettings(secret))
      const databaseUrl = await office.databaseUrl()
      const people = await employ(databaseUrl, person, PEOPLE)
      const ids = people.map(({ userId }) => userId)
      const organization = await fillRooms(databaseUrl, person.organizationId, ids)
      const request = {
        url: `${base}/api/v1/rtc/rooms/list`,
        method: 'POST',
        headers: { cookie: person.cookie, 'content-type': 'application/json' },
        body: '{}',
      } as const
      await checkFull(request)
      const variables = { organization, images: `${base}/images` }
      return await besidePgbench({
        request: { ...request, pid: running.pid },
        run: { databaseUrl, sql: STATEMENT, variables },
        connections: CONNECTIONS,
        seconds,
      })
    }),
}

/** Everybody in a room with the microphone on, every second one with the camera too. @returns the internal id of the organization */
function fillRooms(databaseUrl: string, identityId: string, people: readonly string[]): Promise<string> {
  return connected(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      'select id from organizations where identity_organization_id = $1',
      [identityId],
    )
    const id = rows[0]?.id as string
    await client.query(
      `insert into rooms (id, organization_id, name, created_at)
       select md5('room ' || n)::uuid, $1, 'Room ' || n, now() from generate_series(1, $2::int) n`,
      [id, ROOMS],
    )
    await client.query(
      `insert into media_participants (sid, organization_id, room_sid, room_id, identity, user_id, counts, waits, joined_at, counted)
       select 'PA_' || n, $1, 'RM_' || n % $3, md5('room ' || 1 + n % $3)::uuid, person::text, person, true, false,
         now() - interval '1 second' * n, true
       from unnest($2::bigint[]) with ordinality as inside (person, n)`,
      [id, people, ROOMS],
    )
    await client.query(
      `insert into media_tracks (sid, organization_id, room_sid, participant_sid, source, type, published_at)
       select 'TR_' || source || p.sid, p.organization_id, p.room_sid, p.sid, source, 'audio', now()
       from media_participants p, unnest(array['microphone', 'camera']) source
       where p.organization_id = $1 and (source = 'microphone' or p.user_id % 2 = 0)`,
      [id],
    )
    await client.query('vacuum analyze')
    return id
  })
}

/** The statement of `listRooms`, prepared and with parameters, as the office sends it. */
const STATEMENT = `
  select room::text from (select row_to_json(room) as room from (
    select rooms.id, rooms.name, rooms.metadata,
      to_char(rooms.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24":"MI":"SS.MS"Z"') as "createdAt",
      coalesce(inside.people, '[]') as people, coalesce(invited.guests, 0) as guests,
      recorded.room_id is not null as recording
    from rooms left join (
      select room_id, json_agg(person order by since, user_id) as people from (
        select inside.room_id, inside.user_id, inside.since, (select row_to_json(person) from (select
          inside.user_id::text as "userId", known.identity_user_id as "presenceUserId",
          known.display_name as "displayName", known.avatar_url as "avatarUrl",
          to_char(inside.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24":"MI":"SS.MS"Z"') as since,
          inside.microphone, inside.camera, inside.screen) person) as person
        from (
          select p.room_id, p.user_id, min(p.joined_at) as since,
            coalesce(bool_or(t.source = 'microphone'), false) as microphone,
            coalesce(bool_or(t.source = 'camera'), false) as camera,
            coalesce(bool_or(t.source = 'screen_share'), false) as screen
          from media_participants p left join media_tracks t on t.participant_sid = p.sid and t.ended_at is null
          where p.organization_id = :organization and p.ended_at is null and p.counts and p.user_id is not null
          group by p.room_id, p.user_id) inside
        join (select id, identity_user_id, display_name, coalesce(:images::text || '/' || avatar_key, '') as avatar_url
          from users) known on known.id = inside.user_id) people
      group by room_id) inside on inside.room_id = rooms.id
    left join (
      select p.room_id, count(distinct p.identity)::int as guests from media_participants p
      where p.organization_id = :organization and p.ended_at is null and p.counts and p.identity like 'guest:%'
      group by p.room_id) invited on invited.room_id = rooms.id
    left join (
      select distinct p.room_id from media_jobs p
      where p.organization_id = :organization and p.ended_at is null and p.kind = 'egress') recorded
      on recorded.room_id = rooms.id
    where rooms.organization_id = :organization and rooms.deleted_at is null
    order by lower(rooms.name), rooms.id) room) rooms;`.replaceAll(/\s*\n\s*/g, ' ')

async function checkFull({ url, ...request }: { url: string } & RequestInit): Promise<void> {
  const answer = await fetch(url, request)
  const { rooms } = (await answer.json()) as { rooms: { people: { microphone: boolean }[] }[] }
  const people = rooms?.flatMap((room) => room.people)
  if (rooms?.length !== ROOMS || people?.length !== PEOPLE || people.some(({ microphone }) => !microphone))
    throw new Error(
      `${url} answered ${answer.status} with ${rooms?.length} rooms and ${people?.length} people`,
    )
}
