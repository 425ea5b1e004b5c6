import pg from 'pg'
import type { Benchmark, Contest } from './benchmark.ts'
import { openContest, openProduction } from './opening.ts'
import { besidePgbench } from './pgbench.ts'
import { settle } from './settled.ts'

const CONNECTIONS = 10
const QUERY = 'hopper'
/** One in so many is found. */
const FOUND_EACH = 100
const PAGE = 20

interface List {
  members: number
  /** Undefined: everybody. */
  query?: string
  /** The first is 1. */
  page?: number
}

export const membersList = listing('members-list', { members: 10_000, query: QUERY }, 0.6)
export const membersListLarge = listing('members-list-50000', { members: 50_000, query: QUERY }, 0.6)
export const membersFirstPage = listing('members-page-1', { members: 10_000 }, 0.5)
export const membersLastPage = listing('members-page-500', { members: 10_000, page: 500 }, 0.5)

function listing(name: string, list: List, ratioMin: number): Benchmark {
  const { members, query, page = 1 } = list
  const which = query === undefined ? `page ${page} of ${members} members` : `a query over ${members} members`
  return {
    name,
    describe: `POST /members/list, ${which}, as production serves it, against pgbench with one statement that does the same, on the same server over as many connections`,
    unit: 'requests/s',
    goal: { ratioMin },
    prepare: ({ seconds }) => prepare(list, seconds),
  }
}

function prepare({ members, query, page = 1 }: List, seconds: number): Promise<Contest> {
  return openContest(async (ends) => {
    const { office, running, person, base } = await openProduction(ends)
    const databaseUrl = await office.databaseUrl()
    const organization = await fillOrganization(databaseUrl, person.organizationId, members)
    const offset = (page - 1) * PAGE
    const request = {
      url: `${base}/members/list`,
      method: 'POST',
      headers: { cookie: person.cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ query, limit: PAGE, offset }),
    } as const
    await checkFound(request, query === undefined ? members : Math.floor((members - 1) / FOUND_EACH))
    const place = { organization, limit: String(PAGE), offset: String(offset) }
    const variables = query === undefined ? place : { ...place, pattern: `%${query}%` }
    return await besidePgbench({
      request: { ...request, pid: running.pid },
      run: { databaseUrl, sql: statementOf(query), variables },
      connections: CONNECTIONS,
      seconds,
    })
  })
}

/** People of many names. @returns the internal id of the organization */
async function fillOrganization(databaseUrl: string, identityId: string, members: number): Promise<string> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    await client.query(
      `with people as (
        insert into users (identity_user_id, email, display_name, created_at, updated_at)
        select 'user_bench' || n, 'bench' || n || '@people.example',
          case when n % $3 = 0 then 'Grace Hopper ' else md5(n::text) || ' ' end || n, now(), now()
        from generate_series(1, $1::int) n returning id)
      insert into memberships (organization_id, user_id, role, status, created_at, updated_at)
      select o.id, people.id, 'member', 'active', now(), now()
      from people, organizations o where o.identity_organization_id = $2`,
      [members - 1, identityId, FOUND_EACH],
    )
    await settle(client)
    await client.query('vacuum analyze users')
    await client.query('vacuum analyze memberships')
    const { rows } = await client.query('select id from organizations where identity_organization_id = $1', [
      identityId,
    ])
    return rows[0].id
  } finally {
    await client.end()
  }
}

/** All of it at one go, prepared and with parameters: what `searchMembers` was until 27 November, and is measured by. */
function statementOf(query: string | undefined): string {
  const matching =
    query === undefined
      ? ''
      : String.raw`and (lower(u.display_name) || E'\n' || u.email) like lower(:pattern)`
  return `
  with found as (
    select u.id, u.identity_user_id as "identityId", u.display_name as "displayName", u.email,
      u.avatar_key as "avatarKey", m.role, lower(u.display_name) as "sortName"
    from memberships m join users u on u.id = m.user_id
    where m.organization_id = :organization and m.status = 'active' ${matching}
  ), page as (select * from found order by "sortName", id limit :limit offset :offset)
  select page.*, p.status, p.manual_status as manual, p.note, p.choice_ends_at as until, inside.room_id as room, counted.total from (select count(*) as total from found) counted
  left join page on true left join presence p on p.organization_id = :organization and p.user_id = page.id
  left join lateral (select room_id from media_participants
    where organization_id = :organization and user_id = page.id and ended_at is null and counts
    order by joined_at desc, sid limit 1) inside on true
  order by page."sortName", page.id;`.replaceAll(/\s*\n\s*/g, ' ')
}

async function checkFound({ url, ...request }: { url: string } & RequestInit, wanted: number): Promise<void> {
  const answer = await fetch(url, request)
  const { data, page } = (await answer.json()) as { data: unknown[]; page: { total: number } }
  if (answer.status !== 200 || data.length !== PAGE || page.total !== wanted)
    throw new Error(`${url} answered ${answer.status} with ${data?.length} of ${page?.total}`)
}
