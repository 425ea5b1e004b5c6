import { generateKeyPairSync } from 'node:crypto'
import { type GeneratedAlways, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { type RowId, trusted } from '../../platform/ids.ts'
import {
  type KeyRing,
  openOrNothing,
  type SealingContext,
  seal,
} from '../../platform/secrets/sealed-column.ts'
import { type SealedPlace, sealedColumn } from '../../platform/secrets/sealed-place.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    push_keys: {
      id: GeneratedAlways<string>
      public_key: string
      sealed_private_key: Buffer
      created_at: Date
    }
  }
}

/** The purpose that the private keys are sealed for. */
export const PUSH_KEYS = 'push-keys'

/** What push services know this office by (RFC 8292), as browsers are given it. */
export interface PushKey {
  id: RowId
  /** An uncompressed point of P-256, in base64url. */
  publicKey: string
}

/** The same, to sign with. */
export interface SigningPushKey extends PushKey {
  /** `d` of its JSON Web Key. */
  privateKey: string
}

/**
 * The key for subscriptions to come: the newest, or a new one where there is none that a key of ours opens. Of several
 * nodes that open at once, one makes it.
 */
export async function currentPushKey(db: Db, ring: KeyRing, now: Date): Promise<PushKey> {
  return (
    (await newestKey(db, ring)) ??
    (await transaction(db, async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended('push_keys', 0))`.execute(tx)
      return (await newestKey(tx, ring)) ?? (await makeKey(tx, ring, now))
    }))
  )
}

/** @returns undefined where no key of ours opens it */
export async function signingKey(db: Db, ring: KeyRing, id: RowId): Promise<SigningPushKey | undefined> {
  const row = await db.selectFrom('push_keys').selectAll().where('id', '=', id).executeTakeFirst()
  return row && opened(row, ring)
}

/** For a change of keys, which seals them again. */
export function sealedPushKeys(ring: KeyRing): SealedPlace {
  return sealedColumn({
    name: 'keys for push services',
    ring,
    table: 'push_keys',
    column: 'sealed_private_key',
    key: ['id', 'public_key'],
    contextOf: (row) => contextOf(String(row.public_key)),
  })
}

async function newestKey(db: Db, ring: KeyRing): Promise<PushKey | undefined> {
  const row = await db.selectFrom('push_keys').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst()
  return row && opened(row, ring)
}

function opened(
  { id, public_key, sealed_private_key }: { id: string; public_key: string; sealed_private_key: Buffer },
  ring: KeyRing,
): SigningPushKey | undefined {
  const privateKey = openOrNothing(ring, sealed_private_key, contextOf(public_key))?.toString()
  return privateKey === undefined ? undefined : { id: trusted.rowId(id), publicKey: public_key, privateKey }
}

async function makeKey(tx: Tx, ring: KeyRing, now: Date): Promise<PushKey> {
  const { x, y, d } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })
  const [left, right] = [Buffer.from(x ?? '', 'base64url'), Buffer.from(y ?? '', 'base64url')]
  const publicKey = Buffer.concat([Buffer.from([4]), left, right]).toString('base64url')
  const { id } = await tx
    .insertInto('push_keys')
    .values({
      public_key: publicKey,
      sealed_private_key: seal(ring, d ?? '', contextOf(publicKey)),
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id: trusted.rowId(id), publicKey }
}

function contextOf(publicKey: string): SealingContext {
  return [PUSH_KEYS, publicKey]
}
