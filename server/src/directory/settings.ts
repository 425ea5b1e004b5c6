import type { OrganizationSettings } from '@atrium/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../platform/database/database.ts'
import type { OrganizationId } from '../platform/ids.ts'

declare module '../platform/database/database.ts' {
  interface Tables {
    /** An organization that has decided nothing has no row. */
    organization_settings: {
      organization_id: string
      guest_admission: OrganizationSettings['guestAdmission']
      agents: boolean
      language: OrganizationSettings['language']
      updated_at: Date
    }
  }
}

const NOTHING_DECIDED: OrganizationSettings = { guestAdmission: 'admin', agents: true, language: 'en' }

export async function readSettings(db: Db, organization: OrganizationId): Promise<OrganizationSettings> {
  const row = await db
    .selectFrom('organization_settings')
    .select(['guest_admission as guestAdmission', 'agents', 'language'])
    .where('organization_id', '=', organization)
    .executeTakeFirst()
  return row ?? NOTHING_DECIDED
}

/** The language of mails to people of whom no language is known; undefined where the organization has decided nothing. */
export async function decidedLanguage(
  db: Db,
  organization: OrganizationId,
): Promise<OrganizationSettings['language'] | undefined> {
  const row = await db
    .selectFrom('organization_settings')
    .select('language')
    .where('organization_id', '=', organization)
    .executeTakeFirst()
  return row?.language
}

/** The same, and the settings stay until the transaction ends. */
export async function lockSettings(tx: Tx, organization: OrganizationId): Promise<OrganizationSettings> {
  await sql`select pg_advisory_xact_lock(hashtextextended('organization_settings', ${organization}))`.execute(
    tx,
  )
  return await readSettings(tx, organization)
}

export async function saveSettings(
  tx: Tx,
  organization: OrganizationId,
  { guestAdmission, agents, language }: OrganizationSettings,
  now: Date,
): Promise<void> {
  const decided = { guest_admission: guestAdmission, agents, language, updated_at: now }
  await tx
    .insertInto('organization_settings')
    .values({ organization_id: organization, ...decided })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(decided))
    .execute()
}
