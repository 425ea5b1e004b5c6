import { randomUUID } from 'node:crypto'
import type { Db, Tx } from '../../platform/database/database.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    organization_foundings: {
      key: string
      began_at: Date
      given_up_at: Date | null
    }
  }
}

/** Writes down that an organization is about to be made at the identity provider. @returns the key to make it under */
export async function recordPendingOrganization(db: Db, now: Date): Promise<string> {
  const key = randomUUID()
  await db.insertInto('organization_foundings').values({ key, began_at: now, given_up_at: null }).execute()
  return key
}

/** The organization is ours: in the transaction that makes it so. @returns false where it was given up meanwhile */
export async function completePendingOrganization(tx: Tx, key: string): Promise<boolean> {
  const finished = await tx
    .deleteFrom('organization_foundings')
    .where('key', '=', key)
    .where('given_up_at', 'is', null)
    .returning('key')
    .execute()
  return finished.length === 1
}

/** Gives up what was begun before a moment and never finished. @returns all that is given up, to be taken away there */
export async function giveUpPendingOrganizations(db: Db, before: Date, now: Date): Promise<string[]> {
  await db
    .updateTable('organization_foundings')
    .set({ given_up_at: now })
    .where('began_at', '<', before)
    .where('given_up_at', 'is', null)
    .execute()
  const rows = await db
    .selectFrom('organization_foundings')
    .select('key')
    .where('given_up_at', 'is not', null)
    .orderBy('given_up_at')
    .execute()
  return rows.map(({ key }) => key)
}

/** Nothing of it is left. */
export async function forgetPendingOrganization(db: Db, key: string): Promise<void> {
  await db.deleteFrom('organization_foundings').where('key', '=', key).execute()
}
