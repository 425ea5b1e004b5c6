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
      const variables = { organization, ids: `{${ids.join(',')}}` }
      return await besidePgbench({
        request: { ...request, pid: running.pid },
        run: { databaseUrl, sql: STATEMENTS, variables },
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

/** The statements of `listRooms`, prepared and with parameters, as the office sends them. */
const STATEMENTS = [
  `select id, organization_id, name, metadata, created_at from rooms
    where organization_id = :organization and deleted_at is null order by lower(name), id;`,
  `select room_id as room, sum(guests)::int as guests, bool_or(records) as recording,
      coalesce(json_agg(json_build_object('user', user_id::text,
        'since', to_char(since at time zone 'UTC', 'YYYY-MM-DD"T"HH24":"MI":"SS.MS"Z"'),
        'microphone', microphone, 'camera', camera, 'screen', screen
      ) order by since, user_id) filter (where user_id is not null), '[]') as people
    from (
      select p.room_id, p.user_id, min(p.joined_at) as since, 0 as guests, false as records,
        coalesce(bool_or(t.source = 'microphone'), false) as microphone,
        coalesce(bool_or(t.source = 'camera'), false) as camera,
        coalesce(bool_or(t.source = 'screen_share'), false) as screen
      from media_participants p left join media_tracks t on t.participant_sid = p.sid and t.ended_at is null
      where p.organization_id = :organization and p.ended_at is null and p.counts and p.user_id is not null
      group by p.room_id, p.user_id
      union all
      select p.room_id, null, null, count(distinct p.identity), false, false, false, false
      from media_participants p
      where p.organization_id = :organization and p.ended_at is null and p.counts and p.identity like 'guest:%'
      group by p.room_id
      union all
      select distinct p.room_id, null::bigint, null::timestamptz, 0, true, false, false, false from media_jobs p
      where p.organization_id = :organization and p.ended_at is null and p.kind = 'egress'
    ) inside
    group by room_id;`,
  `select id, identity_user_id as "identityId", display_name as "displayName", avatar_key as "avatarKey"
    from users where id = any(:ids::bigint[]);`,
]
  .map((statement) => statement.replaceAll(/\s*\n\s*/g, ' '))
  .join('\n')

async function checkFull({ url, ...request }: { url: string } & RequestInit): Promise<void> {
  const answer = await fetch(url, request)
  const { rooms } = (await answer.json()) as { rooms: { people: { microphone: boolean }[] }[] }
  const people = rooms?.flatMap((room) => room.people)
  if (rooms?.length !== ROOMS || people?.length !== PEOPLE || people.some(({ microphone }) => !microphone))
    throw new Error(
      `${url} answered ${answer.status} with ${rooms?.length} rooms and ${people?.length} people`,
    )
}
