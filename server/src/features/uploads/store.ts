import type { Db } from '../../platform/database/database.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    upload_tickets: {
      tmp_key: string
      /** As in the key: a user's id, or an organization's as the wire has it. */
      owner: string
      created_at: Date
      claimed_until: Date | null
      finished_at: Date | null
    }
  }
}

export async function insertTicket(
  db: Db,
  ticket: { tmpKey: string; owner: string },
  now: Date,
): Promise<void> {
  await db
    .insertInto('upload_tickets')
    .values({
      tmp_key: ticket.tmpKey,
      owner: ticket.owner,
      created_at: now,
      claimed_until: null,
      finished_at: null,
    })
    .execute()
}

/** Tickets of an owner since then that have not become an image. */
export async function countOpenTickets(db: Db, owner: string, since: Date): Promise<number> {
  const { open } = await db
    .selectFrom('upload_tickets')
    .select((expression) => expression.fn.countAll<string>().as('open'))
    .where('owner', '=', owner)
    .where('finished_at', 'is', null)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return Number(open)
}

/** Whether there is a ticket of that key that can still be finalized. */
export async function hasTicket(db: Db, owner: string, tmpKey: string): Promise<boolean> {
  const row = await db
    .selectFrom('upload_tickets')
    .select('tmp_key')
    .where('tmp_key', '=', tmpKey)
    .where('owner', '=', owner)
    .where('finished_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Takes a ticket for oneself until then; of many at once one gets it. */
export async function claimTicket(
  db: Db,
  owner: string,
  tmpKey: string,
  lease: { now: Date; until: Date },
): Promise<boolean> {
  const row = await db
    .updateTable('upload_tickets')
    .set({ claimed_until: lease.until })
    .where('tmp_key', '=', tmpKey)
    .where('owner', '=', owner)
    .where('finished_at', 'is', null)
    .where((where) => where.or([where('claimed_until', 'is', null), where('claimed_until', '<=', lease.now)]))
    .returning('tmp_key')
    .executeTakeFirst()
  return row !== undefined
}

/** Lets others have the ticket again, where it is still the one that was claimed. */
export async function releaseTicket(db: Db, owner: string, tmpKey: string, until: Date): Promise<void> {
  await db
    .updateTable('upload_tickets')
    .set({ claimed_until: null })
    .where('tmp_key', '=', tmpKey)
    .where('owner', '=', owner)
    .where('claimed_until', '=', until)
    .execute()
}

/** Uses a claimed ticket up. @returns false where the claim was lost to somebody else */
export async function finishTicket(
  db: Db,
  owner: string,
  tmpKey: string,
  claim: { now: Date; until: Date },
): Promise<boolean> {
  const row = await db
    .updateTable('upload_tickets')
    .set({ finished_at: claim.now })
    .where('tmp_key', '=', tmpKey)
    .where('owner', '=', owner)
    .where('claimed_until', '=', claim.until)
    .where('finished_at', 'is', null)
    .returning('tmp_key')
    .executeTakeFirst()
  return row !== undefined
}

export async function purgeTickets(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('upload_tickets').where('created_at', '<', before).execute()
}
