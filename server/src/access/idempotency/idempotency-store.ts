import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { deleteInPieces } from '../../platform/database/delete-in-pieces.ts'
import type { OrganizationId, UserId } from '../../platform/ids.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    idempotent_replies: {
      operation: string
      user_id: string
      organization_id: string
      key_hash: Buffer
      input_hash: Buffer
      created_at: Date
      lease: string | null
      lease_until: Date | null
      status: number | null
      sealed_body: Buffer | null
    }
  }
}

/** One use of a key: by whom, where, for what. */
export interface IdempotentRequest {
  operation: string
  user: UserId
  /** `undefined` for an operation that acts in none. */
  organization: OrganizationId | undefined
  keyHash: Buffer
}

export interface StoredReply {
  inputHash: Buffer
  /** `null` while the first request is under way. */
  status: number | null
  sealedBody: Buffer | null
}

/** By whom a key is taken. */
export interface Take {
  inputHash: Buffer
  lease: string
  now: Date
  leaseUntil: Date
  /** Replies from before are too old. */
  keptSince: Date
}

const NO_ORGANIZATION = '0'

/**
 * Takes a key for a request that is about to run. A key with a reply that is too old, or with a request that a dead
 * process left behind, is taken over.
 * @returns undefined where the request may run; else what there is of the first one
 */
export async function takeKey(
  db: Db,
  request: IdempotentRequest,
  take: Take,
): Promise<StoredReply | undefined> {
  // what was there may be given back before it is read: then the key is free again
  for (;;) {
    if (await insertKey(db, request, take)) return undefined
    const first = await readReply(db, request)
    if (first) return first
  }
}

async function insertKey(db: Db, request: IdempotentRequest, take: Take): Promise<boolean> {
  const { operation, user, organization = NO_ORGANIZATION, keyHash } = request
  const { rows } = await sql`
    insert into idempotent_replies as kept
      (operation, user_id, organization_id, key_hash, input_hash, created_at, lease, lease_until)
    values (${operation}, ${user}, ${organization}, ${keyHash}, ${take.inputHash}, ${take.now}, ${take.lease},
      ${take.leaseUntil})
    on conflict (operation, user_id, organization_id, key_hash) do update
      set input_hash = excluded.input_hash, created_at = excluded.created_at, lease = excluded.lease,
        lease_until = excluded.lease_until, status = null, sealed_body = null
      where kept.created_at < ${take.keptSince} or kept.lease_until < ${take.now}
    returning lease`.execute(db)
  return rows.length === 1
}

async function readReply(db: Db, request: IdempotentRequest): Promise<StoredReply | undefined> {
  const row = await db
    .selectFrom('idempotent_replies')
    .select(['input_hash', 'status', 'sealed_body'])
    .where(isOf(request))
    .executeTakeFirst()
  return row && { inputHash: row.input_hash, status: row.status, sealedBody: row.sealed_body }
}

/**
 * What there is of a first request that took its key under another hash.
 * @returns undefined where nothing is, or only what `takeKey` would take over
 */
export async function findLiveReply(
  db: Db,
  request: IdempotentRequest,
  { now, keptSince }: Pick<Take, 'now' | 'keptSince'>,
): Promise<StoredReply | undefined> {
  const row = await db
    .selectFrom('idempotent_replies')
    .select(['input_hash', 'status', 'sealed_body'])
    .where(isOf(request))
    .where('created_at', '>=', keptSince)
    .where((row) => row.or([row('lease_until', 'is', null), row('lease_until', '>=', now)]))
    .executeTakeFirst()
  return row && { inputHash: row.input_hash, status: row.status, sealedBody: row.sealed_body }
}

/** Keeps the reply of the request that holds the lease. */
export async function keepReply(
  db: Db,
  lease: string,
  request: IdempotentRequest,
  reply: { status: number; sealedBody: Buffer },
): Promise<void> {
  await db
    .updateTable('idempotent_replies')
    .set({ status: reply.status, sealed_body: reply.sealedBody, lease: null, lease_until: null })
    .where(isOf(request))
    .where('lease', '=', lease)
    .execute()
}

/** Gives a key back: its request was refused, and may be sent again. */
export async function giveKeyBack(db: Db, lease: string, request: IdempotentRequest): Promise<void> {
  await db.deleteFrom('idempotent_replies').where(isOf(request)).where('lease', '=', lease).execute()
}

function isOf({ operation, user, organization, keyHash }: IdempotentRequest) {
  return sql<boolean>`operation = ${operation} and user_id = ${user}
    and organization_id = ${organization ?? NO_ORGANIZATION}
    and key_hash = ${keyHash}`
}

/** Removes replies past their time. */
export async function purgeReplies(db: Db, before: Date): Promise<void> {
  await deleteInPieces(db, 'idempotent_replies', sql`created_at < ${before}`)
}
