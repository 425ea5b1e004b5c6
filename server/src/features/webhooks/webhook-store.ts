import { type Generated, type GeneratedAlways, type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { OrganizationId, RowId, UserId } from '../../platform/ids.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    webhooks: WebhookColumns
  }
}

interface WebhookColumns {
  id: GeneratedAlways<string>
  organization_id: string
  url: string
  events: string[]
  /** The bot that hears this. */
  bot_id: string | null
  sealed_secret: Buffer
  sealed_former_secret: Buffer | null
  former_secret_until: Date | null
  created_by: string | null
  created_at: Date
  switched_off_at: Date | null
  failing_since: Date | null
  failures: number
  paused_until: Date | null
  /** Since the receiver at this address has agreed. */
  verified_at: Date | null
  /** Of the last test. */
  sealed_challenge: Buffer | null
  challenge_until: Date | null
  challenge_tries: Generated<number>
}

export type WebhookRow = Selectable<WebhookColumns>

export interface NewWebhook {
  organization: OrganizationId
  url: string
  events: readonly string[]
  bot: UserId | null
  sealedSecret: Buffer
  createdBy: UserId
}

/** @returns its id */
export async function insertWebhook(tx: Tx, webhook: NewWebhook, now: Date): Promise<WebhookRow> {
  return await tx
    .insertInto('webhooks')
    .values({
      organization_id: webhook.organization,
      url: webhook.url,
      events: [...webhook.events],
      bot_id: webhook.bot,
      sealed_secret: webhook.sealedSecret,
      created_by: webhook.createdBy,
      created_at: now,
      failures: 0,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function countWebhooks(db: Db, organization: OrganizationId): Promise<number> {
  const { count } = await db
    .selectFrom('webhooks')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('organization_id', '=', organization)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** All of an organization, newest first. */
export async function listWebhooksOf(db: Db, organization: OrganizationId): Promise<WebhookRow[]> {
  return await db
    .selectFrom('webhooks')
    .selectAll()
    .where('organization_id', '=', organization)
    .orderBy('id', 'desc')
    .execute()
}

/** @returns undefined where the organization has no such webhook */
export async function findWebhook(
  db: Db,
  organization: OrganizationId,
  id: RowId,
): Promise<WebhookRow | undefined> {
  return await oneWebhook(db, organization, id).executeTakeFirst()
}

/** The same, locked until the transaction ends. */
export async function lockWebhook(
  tx: Tx,
  organization: OrganizationId,
  id: RowId,
): Promise<WebhookRow | undefined> {
  return await oneWebhook(tx, organization, id).forUpdate().executeTakeFirst()
}

function oneWebhook(db: Db, organization: OrganizationId, id: RowId) {
  return db
    .selectFrom('webhooks')
    .selectAll()
    .where('organization_id', '=', organization)
    .where('id', '=', id)
}

export type WebhookChange = Partial<Omit<WebhookRow, 'id' | 'organization_id' | 'created_by' | 'created_at'>>

export async function changeWebhook(tx: Tx, id: string, change: WebhookChange): Promise<WebhookRow> {
  return await tx
    .updateTable('webhooks')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** With its log. What waits for it in the work queue finds nothing to send. */
export async function removeWebhook(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('webhooks').where('id', '=', id).execute()
}

/**
 * Something was delivered. Written only where something had failed before. A pause stays: the receiver may have asked for it
 * by another answer meanwhile.
 */
export async function noteSuccess(db: Db, id: string): Promise<void> {
  await db
    .updateTable('webhooks')
    .set({ failing_since: null, failures: 0 })
    .where('id', '=', id)
    .where('failing_since', 'is not', null)
    .execute()
}

/** A webhook, and where something was sent for it: what came of that says nothing of the address it has by now. */
export type Called = Pick<WebhookRow, 'id' | 'url'>

/** @returns since when nothing was delivered; undefined where it has another address by now, or is gone */
export async function noteFailure(
  db: Db,
  { id, url }: Called,
  now: Date,
  pausedUntil: Date | null,
): Promise<Date | undefined> {
  const { rows } = await sql<{ since: Date }>`
    update webhooks set failures = failures + 1, failing_since = coalesce(failing_since, ${now}),
      paused_until = greatest(paused_until, ${pausedUntil}::timestamptz)
    where id = ${id} and url = ${url} returning failing_since as since`.execute(db)
  return rows[0]?.since
}

/** Nothing more is sent there. @returns false where it was off already, or has another address by now */
export async function switchOff(tx: Tx, { id, url }: Called, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('webhooks')
    .set({ switched_off_at: now, paused_until: null })
    .where('id', '=', id)
    .where('url', '=', url)
    .where('switched_off_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
