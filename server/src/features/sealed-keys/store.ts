import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { OrganizationId, RoomId } from '../../platform/ids.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    room_keys: {
      room_id: string
      organization_id: string
      epoch: number
      sent_at: Date
    }
    room_key_boxes: {
      room_id: string
      organization_id: string
      /** One of the two. */
      device_id: string | null
      guest_id: string | null
      box: string
    }
  }
}

export interface Place {
  organization: OrganizationId
  room: RoomId
}

/** Who can open a box: a device, or the page of a guest. */
export type Recipient = { device: string } | { guest: string }

export interface OwnBox {
  /** Of the present key; 0: there is none. */
  epoch: number
  box: string | null
}

/**
 * Begins the next epoch of a room, without the boxes of before; others that begin one wait until the transaction ends.
 * @returns false where it is not the next
 */
export async function beginEpoch(
  tx: Tx,
  { organization, room }: Place,
  epoch: number,
  now: Date,
): Promise<boolean> {
  const row =
    epoch === 1
      ? await tx
          .insertInto('room_keys')
          .values({ room_id: room, organization_id: organization, epoch, sent_at: now })
          .onConflict((conflict) => conflict.column('room_id').doNothing())
          .returning('epoch')
          .executeTakeFirst()
      : await tx
          .updateTable('room_keys')
          .set({ epoch, sent_at: now })
          .where('room_id', '=', room)
          .where('organization_id', '=', organization)
          .where('epoch', '=', epoch - 1)
          .returning('epoch')
          .executeTakeFirst()
  if (!row) return false
  await tx
    .deleteFrom('room_key_boxes')
    .where('room_id', '=', room)
    .where('organization_id', '=', organization)
    .execute()
  return true
}

export async function saveBoxes(
  tx: Tx,
  { organization, room }: Place,
  boxes: readonly { to: Recipient; box: string }[],
): Promise<void> {
  if (boxes.length === 0) return
  await tx
    .insertInto('room_key_boxes')
    .values(
      boxes.map(({ to, box }) => ({
        room_id: room,
        organization_id: organization,
        device_id: 'device' in to ? to.device : null,
        guest_id: 'guest' in to ? to.guest : null,
        box,
      })),
    )
    .execute()
}

export async function readOwnBox(
  db: Db,
  { organization, room }: Place,
  recipient: Recipient,
): Promise<OwnBox> {
  const isOwn =
    'device' in recipient
      ? sql<boolean>`b.device_id = ${recipient.device}`
      : sql<boolean>`b.guest_id = ${recipient.guest}`
  const { rows } = await sql<OwnBox>`
    select k.epoch, b.box from room_keys k left join room_key_boxes b on b.room_id = k.room_id and ${isOwn}
    where k.room_id = ${room} and k.organization_id = ${organization}`.execute(db)
  return rows[0] ?? { epoch: 0, box: null }
}
