import { type Generated, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    upload_tickets: {
      tmp_key: string
      /** As in the key: a user's id, or an organization's as the wire has it. */
      owner: string
      created_at: Date
      claimed_until: Date | null
      finished_at: Date | null
      size_known: Generated<boolean>
    }
  }
}

/**
 * Notes a ticket, where fewer than so many of its owner since then have not become an image. Until the transaction ends
 * other counts wait: of many at once, none finds the same place free. @returns false where it was not noted
 */
export async function insertTicketWithin(
  tx: Tx,
  limit: { max: number; since: Date },
  ticket: { tmpKey: string; owner: string },
  now: Date,
): Promise<boolean> {
  const { owner } = ticket
  await sql`select pg_advisory_xact_lock(hashtextextended(${`upload tickets of ${owner}`}, 0))`.execute(tx)
  if ((await countOpenTickets(tx, owner, limit.since)) >= limit.max) return false
  await tx
    .insertInto('upload_tickets')
    .values({
      tmp_key: ticket.tmpKey,
      owner,
      created_at: now,
      claimed_until: null,
      finished_at: null,
    })
    .execute()
  return true
}

/** Tickets of an owner since then that have not become an image. */
async function countOpenTickets(db: Db, owner: string, since: Date): Promise<number> {
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
  return (await openTicket(db, owner, tmpKey).executeTakeFirst()) !== undefined
}

/** Whether a call began to finalize the ticket and never came to an end: neither a result nor a refusal. */
export async function isAbandoned(db: Db, owner: string, tmpKey: string, now: Date): Promise<boolean> {
  const abandoned = openTicket(db, owner, tmpKey).where('claimed_until', '<=', now)
  return (await abandoned.executeTakeFirst()) !== undefined
}

function openTicket(db: Db, owner: string, tmpKey: string) {
  return db
    .selectFrom('upload_tickets')
    .select('tmp_key')
    .where('tmp_key', '=', tmpKey)
    .where('owner', '=', owner)
    .where('finished_at', 'is', null)
}

/**
 * Takes a ticket for one call until then; of many at once one gets it.
 * @returns undefined where another call has it, or it is finished
 */
export async function claimTicket(
  db: Db,
  owner: string,
  tmpKey: string,
  lease: { now: Date; until: Date },
): Promise<{ wasAbandoned: boolean } | undefined> {
  const { rows } = await sql<{ wasAbandoned: boolean }>`
    update upload_tickets as ticket set claimed_until = ${lease.until}
    from (
      select tmp_key, claimed_until from upload_tickets
      where tmp_key = ${tmpKey} and owner = ${owner} and finished_at is null
        and (claimed_until is null or claimed_until <= ${lease.now})
      for update
    ) as free
    where ticket.tmp_key = free.tmp_key
    returning free.claimed_until is not null as "wasAbandoned"`.execute(db)
  return rows[0]
}

/** Keeps a claimed ticket for longer. @returns false where the claim was lost to another call */
export async function extendClaim(
  db: Db,
  owner: string,
  tmpKey: string,
  lease: { until: Date; longer: Date },
): Promise<boolean> {
  return await changeClaimed(db, { owner, tmpKey, until: lease.until }, { claimed_until: lease.longer })
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

/** Notes that it is known how much was uploaded with a ticket. @returns false where it was known already */
export async function noteSizeKnown(db: Db, owner: string, tmpKey: string): Promise<boolean> {
  const row = await db
    .updateTable('upload_tickets')
    .set({ size_known: true })
    .where('tmp_key', '=', tmpKey)
    .where('owner', '=', owner)
    .where('size_known', '=', false)
    .returning('tmp_key')
    .executeTakeFirst()
  return row !== undefined
}

/** Uses a claimed ticket up. @returns false where the claim was lost to another call */
export async function finishTicket(
  db: Db,
  owner: string,
  tmpKey: string,
  claim: { now: Date; until: Date },
): Promise<boolean> {
  return await changeClaimed(db, { owner, tmpKey, until: claim.until }, { finished_at: claim.now })
}

async function changeClaimed(
  db: Db,
  { owner, tmpKey, until }: { owner: string; tmpKey: string; until: Date },
  change: { claimed_until: Date } | { finished_at: Date },
): Promise<boolean> {
  const row = await db
    .updateTable('upload_tickets')
    .set(change)
    .where('tmp_key', '=', tmpKey)
    .where('owner', '=', owner)
    .where('claimed_until', '=', until)
    .where('finished_at', 'is', null)
    .returning('tmp_key')
    .executeTakeFirst()
  return row !== undefined
}

export async function purgeTickets(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('upload_tickets').where('created_at', '<', before).execute()
}
