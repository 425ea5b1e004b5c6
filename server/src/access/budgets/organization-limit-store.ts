import type { LimitName } from '@atrium/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { OrganizationId, UserId } from '../../platform/ids.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    organization_limits: {
      organization_id: string
      name: string
      value: string
      set_at: Date
    }
    person_limits: {
      organization_id: string
      user_id: string
      name: string
      value: string
      set_at: Date
    }
  }
}

/** One that is set for an organization, or for one person of it; `name` may be of another release. */
export interface SetLimit {
  organization: string
  /** Null: for all of it. */
  user: string | null
  name: string
  value: number
}

/** For whom a limit is set. */
export interface LimitOwner {
  organization: OrganizationId
  /** Where it is for one person of it. */
  user?: UserId | undefined
}

/** Those of all organizations, and of their people: few have some. */
export async function listAllLimits(db: Db): Promise<SetLimit[]> {
  return (await selectLimits(db).execute()).map(toLimit)
}

/** Those of an organization, and of its people. */
export async function listLimitsOf(db: Db, organization: OrganizationId): Promise<SetLimit[]> {
  const rows = await selectLimits(db).where('organization_id', '=', organization).execute()
  return rows.map(toLimit)
}

export async function setLimit(
  tx: Tx,
  { organization, user }: LimitOwner,
  { name, value }: { name: LimitName; value: number },
  now: Date,
): Promise<void> {
  const row = { organization_id: organization, name, value: String(value), set_at: now }
  const again = { value: row.value, set_at: now }
  if (user === undefined) {
    await tx
      .insertInto('organization_limits')
      .values(row)
      .onConflict((conflict) => conflict.columns(['organization_id', 'name']).doUpdateSet(again))
      .execute()
    return
  }
  await tx
    .insertInto('person_limits')
    .values({ ...row, user_id: user })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id', 'name']).doUpdateSet(again))
    .execute()
}

export async function unsetLimit(tx: Tx, { organization, user }: LimitOwner, name: LimitName): Promise<void> {
  if (user === undefined) {
    await tx
      .deleteFrom('organization_limits')
      .where('organization_id', '=', organization)
      .where('name', '=', name)
      .execute()
    return
  }
  await tx
    .deleteFrom('person_limits')
    .where('organization_id', '=', organization)
    .where('user_id', '=', user)
    .where('name', '=', name)
    .execute()
}

function selectLimits(db: Db) {
  const ofPeople = db.selectFrom('person_limits').select(['organization_id', 'user_id', 'name', 'value'])
  return db
    .selectFrom((inner) =>
      inner
        .selectFrom('organization_limits')
        .select(['organization_id', sql<string | null>`null::bigint`.as('user_id'), 'name', 'value'])
        .unionAll(ofPeople)
        .as('limits'),
    )
    .select(['organization_id', 'user_id', 'name', 'value'])
}

type LimitRow = { organization_id: string; user_id: string | null; name: string; value: string }

function toLimit(row: LimitRow): SetLimit {
  return { organization: row.organization_id, user: row.user_id, name: row.name, value: Number(row.value) }
}
