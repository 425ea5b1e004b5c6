import type { LimitName } from '@atrium/contract'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { OrganizationId } from '../../platform/ids.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    organization_limits: {
      organization_id: string
      name: string
      value: string
      set_at: Date
    }
  }
}

/** One that is set for an organization; `name` may be of another release. */
export interface SetLimit {
  organization: string
  name: string
  value: number
}

/** Those of all organizations: few have some. */
export async function listAllLimits(db: Db): Promise<SetLimit[]> {
  return (await selectLimits(db).execute()).map(toLimit)
}

export async function listLimitsOf(db: Db, organization: OrganizationId): Promise<SetLimit[]> {
  const rows = await selectLimits(db).where('organization_id', '=', organization).execute()
  return rows.map(toLimit)
}

export async function setLimit(
  tx: Tx,
  organization: OrganizationId,
  { name, value }: { name: LimitName; value: number },
  now: Date,
): Promise<void> {
  const row = { organization_id: organization, name, value: String(value), set_at: now }
  await tx
    .insertInto('organization_limits')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'name']).doUpdateSet({ value: row.value, set_at: now }),
    )
    .execute()
}

export async function unsetLimit(tx: Tx, organization: OrganizationId, name: LimitName): Promise<void> {
  await tx
    .deleteFrom('organization_limits')
    .where('organization_id', '=', organization)
    .where('name', '=', name)
    .execute()
}

function selectLimits(db: Db) {
  return db.selectFrom('organization_limits').select(['organization_id', 'name', 'value'])
}

function toLimit(row: { organization_id: string; name: string; value: string }): SetLimit {
  return { organization: row.organization_id, name: row.name, value: Number(row.value) }
}
