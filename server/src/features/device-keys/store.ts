import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import { trusted, type UserId } from '../../platform/ids.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    device_keys: {
      device_id: string
      user_id: string
      /** X25519, as base64url */
      public_key: string
      name: string
      created_at: Date
      published_at: Date
    }
  }
}

/** A device of a person, and the key that boxes are sealed to. */
export interface Device {
  id: string
  user: UserId
  /** X25519, as base64url */
  publicKey: string
  name: string
  createdAt: Date
  publishedAt: Date
}

/** @returns false where the device is another person's, or has another key */
export async function saveDevice(
  tx: Tx,
  user: UserId,
  { id, publicKey, name }: Pick<Device, 'id' | 'publicKey' | 'name'>,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into device_keys (device_id, user_id, public_key, name, created_at, published_at)
    values (${id}, ${user}, ${publicKey}, ${name}, ${now}, ${now})
    on conflict (device_id) do update set name = excluded.name, published_at = excluded.published_at
      where device_keys.user_id = excluded.user_id and device_keys.public_key = excluded.public_key
    returning device_id`.execute(tx)
  return rows.length > 0
}

/** Drops those that were published longest ago. @param most how many stay */
export async function dropOldDevices(tx: Tx, user: UserId, most: number): Promise<void> {
  await sql`
    delete from device_keys where device_id in (
      select device_id from device_keys where user_id = ${user}
      order by published_at desc, device_id offset ${most})`.execute(tx)
}

/** In the order in which they came: that of use would tell who is there unseen. */
export async function listDevicesOf(db: Db, users: readonly UserId[]): Promise<Device[]> {
  if (users.length === 0) return []
  const rows = await db
    .selectFrom('device_keys')
    .select([
      'device_id as id',
      'user_id as user',
      'public_key as publicKey',
      'name',
      'created_at as createdAt',
      'published_at as publishedAt',
    ])
    .where('user_id', 'in', users)
    .orderBy('created_at')
    .orderBy('device_id')
    .execute()
  return rows.map((row) => ({ ...row, user: trusted.userId(row.user) }))
}

export async function deleteDevice(db: Db, user: UserId, id: string): Promise<void> {
  await db.deleteFrom('device_keys').where('device_id', '=', id).where('user_id', '=', user).execute()
}

export async function eraseDevices(db: Db, user: UserId): Promise<void> {
  await db.deleteFrom('device_keys').where('user_id', '=', user).execute()
}
