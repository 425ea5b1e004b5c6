import { createHash, randomBytes } from 'node:crypto'
import pg from 'pg'
import type { FirstPerson } from './first-person.ts'
import { settle } from './settled.ts'

export interface Employee {
  userId: string
  identityUserId: string
  /** Value of the header `cookie`. */
  cookie: string
}

/** Gives an organization more administrators, each with a session, as if they had signed in. */
export async function employ(databaseUrl: string, first: FirstPerson, count: number): Promise<Employee[]> {
  const people = await connected(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string; identity_user_id: string }>(
      `with people as (
         insert into users (identity_user_id, email, display_name, created_at, updated_at)
         select 'user_' || md5($1 || n), md5($1 || n) || '@example.com', 'Employee ' || n, now(), now()
         from generate_series(1, $2::int) n returning id, identity_user_id),
       joined as (
         insert into memberships (organization_id, user_id, role, status, created_at, updated_at)
         select o.id, p.id, 'admin', 'active', now(), now()
         from people p, organizations o where o.identity_organization_id = $1 returning user_id)
       select id, identity_user_id from people order by id`,
      [first.organizationId, count],
    )
    await settle(client)
    return rows.map(({ id: userId, identity_user_id: identityUserId }) => ({ userId, identityUserId }))
  })
  const cookies = await signInAs(
    databaseUrl,
    first,
    people.map(({ userId }) => userId),
  )
  return people.map((one, n) => ({ ...one, cookie: cookies[n] as string }))
}

/**
 * Sessions of members of an organization, as if they had signed in.
 * @returns values of the header `cookie`
 */
export async function signInAs(
  databaseUrl: string,
  first: FirstPerson,
  userIds: readonly string[],
): Promise<string[]> {
  const [cookieName] = first.cookie.split('=')
  const tokens = userIds.map(() => `atrium_session_${randomBytes(32).toString('base64url')}`)
  const hashes = tokens.map((token) => createHash('sha256').update(token).digest())
  await connected(databaseUrl, (client) =>
    client.query(
      `insert into sessions (token_hash, user_id, active_organization_id, method, created_at, last_seen_at,
         idle_expires_at, absolute_expires_at)
       select s.hash, s.id, o.id, 'magic_auth', now(), now(), now() + interval '7 days', now() + interval '30 days'
       from unnest($2::bytea[], $3::bigint[]) s (hash, id), organizations o where o.identity_organization_id = $1`,
      [first.organizationId, hashes, userIds],
    ),
  )
  return tokens.map((token) => `${cookieName}=${token}`)
}

/**
 * Conversations of one person with their colleagues, the first one long.
 * @returns the long one
 */
export async function converse(
  databaseUrl: string,
  organizationId: string,
  [one, ...others]: readonly Employee[],
  long: { messages: number; characters: number },
): Promise<string> {
  return await connected(databaseUrl, async (client) => {
    await client.query('begin')
    await client.query('alter table messages disable trigger user')
    const { rows } = await client.query<{ conversation_id: string }>(
      `with opened as (
         insert into conversations (org_id, low_user_id, high_user_id, created_at, updated_at)
         select o.id, $2::bigint, peer, now(), now() - interval '1 minute' * peer
         from organizations o, unnest($3::bigint[]) peer where o.identity_organization_id = $1
         returning conversation_id, org_id, low_user_id, high_user_id),
       joined as (
         insert into conversation_members (conversation_id, user_id, org_id, joined_at)
         select conversation_id, unnest(array[low_user_id, high_user_id]), org_id, now() from opened)
       select conversation_id from opened order by conversation_id`,
      [organizationId, one?.userId, others.map(({ userId }) => userId)],
    )
    const conversation = rows[0]?.conversation_id as string
    await client.query(
      `insert into messages (message_id, conversation_id, org_id, sender_id, content, reply_count, is_edited,
         is_deleted, created_at, updated_at)
       select nextval('message_ids'), c.conversation_id, c.org_id, c.high_user_id,
         left(repeat(md5(n::text), 1 + $3::int / 32), $3::int), 0, false, false, now(), now()
       from generate_series(1, $2::int) n join conversations c on c.conversation_id = $1`,
      [conversation, long.messages, long.characters],
    )
    await client.query('alter table messages enable trigger user')
    await client.query('commit')
    await client.query('vacuum analyze')
    return conversation
  })
}

export async function connected<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
