import pg from 'pg'
import { openOperatedOffice } from '../fresh-office.ts'
import type { Ends } from '../processes.ts'
import { inviteTokenOf, newPerson, type WebPerson } from './people.ts'
import { userIdOf, write } from './scene.ts'
import type { WebOffice } from './visitor.ts'

export const PEOPLE = 1_000
/** As many as there are on a plan. */
export const ROOMS = 60
/** So many that the floor is a list. */
export const ROOMS_OF_LIST = 200
/** Of one conversation, beside the first and the last. */
export const MESSAGES = 500

export interface Large {
  /** Who administers it. */
  ada: WebPerson
  /** By name she is among those who are shown first. */
  grace: WebPerson
  /** Between the two. It begins with `The first`, and ends with `The last`. */
  conversationId: number
  large: WebOffice
}

/** An office of its own, whose database is filled past its interface. */
export async function openLarge(office: WebOffice, ends: Ends): Promise<Large> {
  const settings = { RATE_LIMIT_SIGN_IN_PER_ADDRESS: '0', RATE_LIMIT_PER_USER: '0' }
  const large = { ...office, ...(await openOperatedOffice(settings, ends)) }
  const ada = await newPerson(large, 'Ada Lovelace', { found: 'Large' })
  const grace = await newPerson(large, 'Aagje Hopper', { inviteToken: await inviteTokenOf(ada) })
  await addRooms(ada, 1, ROOMS)
  const conversationId = await write(grace, await userIdOf(ada), 'The first')
  const client = new pg.Client((await large.atrium('database-url')).trim())
  await client.connect()
  try {
    await fillPeople(client)
    await fillMessages(client, conversationId)
  } finally {
    await client.end()
  }
  await write(grace, await userIdOf(ada), 'The last')
  return { ada, grace, conversationId, large }
}

export async function addRooms({ client }: WebPerson, from: number, to: number): Promise<void> {
  for (let number = from; number <= to; number += 1)
    await client.call('createRoom', { name: `Room ${number}` })
}

/** Colleagues who are online for as long as nobody asks the broker. */
async function fillPeople(client: pg.Client): Promise<void> {
  await client.query(`update presence_poll set quiet_until = now() + interval '1 day'`)
  await client.query(
    `with people as (
      insert into users (identity_user_id, email, display_name, created_at, updated_at)
      select 'user_large' || n, 'colleague-' || n || '@large.example', 'Colleague ' || n, now(), now()
      from generate_series(1, $1::int) n returning id),
    joined as (
      insert into memberships (organization_id, user_id, role, status, created_at, updated_at)
      select o.id, p.id, 'member', 'active', now(), now() from people p, organizations o where o.name = 'Large')
    insert into presence (organization_id, user_id, status, confirmed_at)
    select o.id, p.id, 'online', now() from people p, organizations o where o.name = 'Large'`,
    [PEOPLE - 2],
  )
}

/** Of one of the two, over the days before. */
async function fillMessages(client: pg.Client, conversationId: number): Promise<void> {
  await client.query('begin')
  // it lets nobody write so fast
  await client.query('alter table messages disable trigger user')
  await client.query(
    `insert into messages (message_id, conversation_id, org_id, sender_id, content, reply_count, is_edited,
        is_deleted, created_at, updated_at)
      select nextval('message_ids'), f.conversation_id, f.org_id, f.sender_id,
        'Message ' || n || repeat(' and so on', n % 40), 0, false, false, f.created_at, f.created_at
      from messages f, generate_series(1, $2::int) n where f.conversation_id = $1 order by n`,
    [conversationId, MESSAGES],
  )
  await client.query(
    `update messages m set created_at = m.created_at - interval '1 hour' - n * interval '3 minutes'
      from (select message_id, row_number() over (order by message_id desc) n from messages) numbered
      where m.message_id = numbered.message_id and m.conversation_id = $1`,
    [conversationId],
  )
  await client.query('alter table messages enable trigger user')
  await client.query('commit')
}
