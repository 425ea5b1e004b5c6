import pg from 'pg'
import type { FirstPerson } from './first-person.ts'
import { settle } from './settled.ts'

const PEOPLE = 400
const LONG = { messages: 1_000_000, conversations: 10_000 }

interface History {
  messages: number
  conversations: number
  text?: string
}

/** The text of message `n`, in SQL. */
const TEXT = `'Message ' || n || ' of a long conversation about what there is to do'`

/**
 * Gives an organization a long history: people who talk in pairs, each conversation with its share of the messages,
 * in the order of time. Answers a conversation of the person.
 */
export async function furnish(
  databaseUrl: string,
  { userId, organizationId }: FirstPerson,
  { messages, conversations, text = TEXT }: History = LONG,
): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ id: string }>(
      'select id from organizations where identity_organization_id = $1',
      [organizationId],
    )
    const organization = rows[0]?.id
    await client.query('begin')
    // the rows are made as the triggers would make them, a million at a time
    await client.query('alter table messages disable trigger user')
    await client.query('alter table conversation_members disable trigger user')
    await client.query(
      `with people as (
         insert into users (identity_user_id, email, display_name, created_at, updated_at)
         select 'user_' || lpad(n::text, 26, '0'), 'talker-' || n || '@example.com', 'Talker ' || n, now(), now()
         from generate_series(1, $2::int) n returning id)
       insert into memberships (organization_id, user_id, role, status, created_at, updated_at)
       select $1, id, 'member', 'active', now(), now() from people`,
      [organization, PEOPLE],
    )
    await settle(client)
    // the pairs, those of the person among the first
    await client.query(
      `with pairs as (
         select a.user_id as low, b.user_id as high
         from memberships a join memberships b on b.organization_id = a.organization_id and a.user_id < b.user_id
         where a.organization_id = $1
         order by ($2::bigint in (a.user_id, b.user_id) and (a.user_id + b.user_id) % 8 = 0) desc,
           hashint8(a.user_id * 100003 + b.user_id)
         limit $3),
       opened as (
         insert into conversations (org_id, low_user_id, high_user_id, created_at, updated_at)
         select $1, low, high, now() - interval '1 year', now() - interval '1 minute' * row_number() over () from pairs
         returning conversation_id, low_user_id, high_user_id)
       insert into conversation_members (conversation_id, user_id, org_id, joined_at)
       select conversation_id, unnest(array[low_user_id, high_user_id]), $1, now() from opened`,
      [organization, userId, conversations],
    )
    await client.query(
      `insert into messages (message_id, conversation_id, org_id, sender_id, content, reply_count, is_edited,
         is_deleted, created_at, updated_at)
       select nextval('message_ids'), c.conversation_id, c.org_id,
         case (n / $2) % 2 when 0 then c.low_user_id else c.high_user_id end,
         ${text}, 0, false, false,
         now() - interval '1 second' * ($1 - n), now() - interval '1 second' * ($1 - n)
       from generate_series(1, $1::int) s (n)
         join (select c.*, row_number() over (order by conversation_id) as place from conversations c) c
           on c.place = n % $2::int + 1`,
      [messages, conversations],
    )
    // most of it has been read
    await client.query(
      `update conversation_members cm set last_read_message_id =
         (select m.message_id from messages m where m.conversation_id = cm.conversation_id
          order by m.message_id desc offset 5 limit 1)`,
    )
    await client.query('alter table messages enable trigger user')
    await client.query('alter table conversation_members enable trigger user')
    await client.query('commit')
    await client.query('vacuum analyze')
    const found = await client.query<{ conversation_id: string }>(
      'select conversation_id from conversation_members where user_id = $1 order by conversation_id limit 1',
      [userId],
    )
    return found.rows[0]?.conversation_id as string
  } finally {
    await client.end()
  }
}
