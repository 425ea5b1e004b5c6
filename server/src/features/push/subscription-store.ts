import type { PushShows } from '@atrium/contract'
import { type GeneratedAlways, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { type Answered, type RowId, trusted, type UserId } from '../../platform/ids.ts'
import type { PushKey } from './push-keys.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    push_subscriptions: {
      id: GeneratedAlways<string>
      user_id: string
      session_id: string
      push_key_id: string
      endpoint: string
      browser_key: Buffer
      browser_secret: Buffer
      shows: PushShows
      created_at: Date
      paused_until: Date | null
    }
  }
}

export interface NewSubscription {
  user: UserId
  session: string
  key: PushKey
  endpoint: string
  browserKey: Buffer
  browserSecret: Buffer
  shows: PushShows
}

/** Where a browser is told. */
export interface Subscription {
  id: RowId
  key: RowId
  endpoint: string
  browserKey: Buffer
  browserSecret: Buffer
  shows: PushShows
  createdAt: Date
  pausedUntil: Date | null
  device: string
}

/** Of more than so many of a person the oldest end. */
const SUBSCRIPTIONS_MAX = 20

/** Takes the place of whatever the endpoint had before. @returns its id, which is a new one in any case */
export async function putSubscription(tx: Tx, made: NewSubscription, now: Date): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into push_subscriptions
      (user_id, session_id, push_key_id, endpoint, browser_key, browser_secret, shows, created_at)
    values (${made.user}, ${made.session}, ${made.key.id}, ${made.endpoint}, ${made.browserKey}, ${made.browserSecret},
      ${made.shows}, ${now})
    on conflict (endpoint) do update set id = default, user_id = excluded.user_id, session_id = excluded.session_id,
      push_key_id = excluded.push_key_id, browser_key = excluded.browser_key, browser_secret = excluded.browser_secret,
      shows = excluded.shows, created_at = excluded.created_at, paused_until = null
    returning id`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('a subscription was not written')
  await sql`
    delete from push_subscriptions where id in (select id from push_subscriptions where user_id = ${made.user}
      order by id desc offset ${SUBSCRIPTIONS_MAX})`.execute(tx)
  return row.id
}

/** Those of sessions that have not ended, the newest first. */
export async function listSubscriptions(db: Db, user: UserId, now: Date): Promise<Subscription[]> {
  const { rows } = await sql<Answered<Subscription>>`
    select id, push_key_id as key, endpoint, browser_key as "browserKey", browser_secret as "browserSecret", shows,
      created_at as "createdAt", paused_until as "pausedUntil", device
    from live_push_subscriptions(${user}, ${now})`.execute(db)
  return rows.map((row) => ({ ...row, id: trusted.rowId(row.id), key: trusted.rowId(row.key) }))
}

/** @returns false where the person has none of this id */
export async function endSubscription(db: Db, user: UserId, id: RowId): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('push_subscriptions')
    .where('id', '=', id)
    .where('user_id', '=', user)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Its push service says that it is gone. One that was subscribed again meanwhile has another id. */
export async function dropSubscription(db: Db, { id }: Pick<Subscription, 'id'>): Promise<void> {
  await db.deleteFrom('push_subscriptions').where('id', '=', id).execute()
}

/** Nothing is sent there until then. A longer pause stays. */
export async function pauseSubscription(
  db: Db,
  { id }: Pick<Subscription, 'id'>,
  until: Date,
): Promise<void> {
  await sql`
    update push_subscriptions set paused_until = greatest(paused_until, ${until}) where id = ${id}`.execute(
    db,
  )
}
