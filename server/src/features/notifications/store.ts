import type { NotificationSettings } from '@atrium/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { UserId } from '../../platform/ids.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    /** A user without a choice has no row. */
    notification_settings: {
      user_id: string
      /** `18:00:00` */
      quiet_from: string | null
      quiet_to: string | null
      quiet_zone: string | null
      sounds: boolean
      updated_at: Date
    }
  }
}

const NOTHING_CHOSEN: NotificationSettings = { quietHours: null, sounds: true }

export async function readNotificationSettings(db: Db, user: UserId): Promise<NotificationSettings> {
  const row = await db
    .selectFrom('notification_settings')
    .select(['quiet_from as from', 'quiet_to as to', 'quiet_zone as zone', 'sounds'])
    .where('user_id', '=', user)
    .executeTakeFirst()
  if (!row) return NOTHING_CHOSEN
  const { from, to, zone, sounds } = row
  const isQuiet = from !== null && to !== null && zone !== null
  return { quietHours: isQuiet ? { from: from.slice(0, 5), to: to.slice(0, 5), zone } : null, sounds }
}

/** The same, under a lock that keeps the choice as it is until the transaction ends. */
export async function lockNotificationSettings(tx: Tx, user: UserId): Promise<NotificationSettings> {
  await sql`select pg_advisory_xact_lock(hashtextextended('notification_settings', ${user}))`.execute(tx)
  return await readNotificationSettings(tx, user)
}

export async function saveNotificationSettings(
  tx: Tx,
  user: UserId,
  { quietHours, sounds }: NotificationSettings,
  now: Date,
): Promise<void> {
  const chosen = {
    quiet_from: quietHours?.from ?? null,
    quiet_to: quietHours?.to ?? null,
    quiet_zone: quietHours?.zone ?? null,
    sounds,
    updated_at: now,
  }
  await tx
    .insertInto('notification_settings')
    .values({ user_id: user, ...chosen })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(chosen))
    .execute()
}

export async function eraseNotificationSettings(db: Db, user: UserId): Promise<void> {
  await db.deleteFrom('notification_settings').where('user_id', '=', user).execute()
}
