import { sql } from 'kysely'
import { DAY_MS } from '../platform/clock.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { type OrganizationId, trusted } from '../platform/ids.ts'

declare module '../platform/database/database.ts' {
  interface Tables {
    /** An organization that has decided nothing has no row. */
    organization_retention: {
      organization_id: string
      chat_days: number | null
      audit_days: number | null
      recording_days: number | null
      session_days: number | null
      updated_at: Date
    }
  }
}

/** What an organization decides how long to keep, in days; null: as the deployment says. */
export interface OwnRetention {
  chatDays: number | null
  auditDays: number | null
  recordingDays: number | null
  sessionDays: number | null
}

/** What the deployment says, and the most that an organization can decide; null: for ever. */
export interface DeploymentRetention {
  chatDays: number | null
  auditDays: number | null
  /** The least that an organization can decide: no administrator shortens the trail right after their own change. */
  auditDaysMin: number
  recordingDays: number
  sessionDays: number
}

/** Read where rows are due, and by no index of what they are. */
export type RetainedKind = 'chat' | 'audit' | 'recording'

const COLUMNS = { chat: 'chat_days', audit: 'audit_days', recording: 'recording_days' } as const
const NOTHING_DECIDED: OwnRetention = {
  chatDays: null,
  auditDays: null,
  recordingDays: null,
  sessionDays: null,
}
const PAGE = 1_000

export async function readRetention(db: Db, organization: OrganizationId): Promise<OwnRetention> {
  const row = await db
    .selectFrom('organization_retention')
    .select([
      'chat_days as chatDays',
      'audit_days as auditDays',
      'recording_days as recordingDays',
      'session_days as sessionDays',
    ])
    .where('organization_id', '=', organization)
    .executeTakeFirst()
  return row ?? NOTHING_DECIDED
}

/** The same, with what the organization decides locked until the transaction ends. */
export async function lockRetention(tx: Tx, organization: OrganizationId, now: Date): Promise<OwnRetention> {
  // sessions that begin to work there meanwhile wait for it (migration 0042)
  await sql`select pg_advisory_xact_lock(hashtextextended('organization_retention', ${organization}))`.execute(
    tx,
  )
  await tx
    .insertInto('organization_retention')
    .values({ organization_id: organization, updated_at: now })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet({ updated_at: now }))
    .execute()
  return await readRetention(tx, organization)
}

/**
 * Until the transaction ends the decision stays. For transactions that lock something of the organization before a
 * session begins to work there, which does the same (migration 0042): a change of the decision locks in the other
 * order.
 */
export async function holdRetention(tx: Tx, organization: OrganizationId): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended('organization_retention', ${organization}))`.execute(
    tx,
  )
}

export async function saveRetention(tx: Tx, organization: OrganizationId, days: OwnRetention): Promise<void> {
  await tx
    .updateTable('organization_retention')
    .set({
      chat_days: days.chatDays,
      audit_days: days.auditDays,
      recording_days: days.recordingDays,
      session_days: days.sessionDays,
    })
    .where('organization_id', '=', organization)
    .execute()
}

/** What of an organization is older than this moment is over. */
export interface Due {
  organization: OrganizationId
  before: Date
}

/**
 * From when on things of one kind are over, of each organization where they ever are, a page at a time. Where the
 * deployment keeps them for ever, only those organizations are read that have decided.
 * @param deploymentDays null: for ever
 */
export async function* pagesOfDue(
  db: Db,
  kind: RetainedKind,
  deploymentDays: number | null,
  now: Date,
): AsyncGenerator<Due[]> {
  const days = sql.ref(`r.${COLUMNS[kind]}`)
  let after = '0'
  for (;;) {
    const { rows } = await (deploymentDays === null
      ? sql<{ id: string; days: number }>`
          select r.organization_id as id, ${days} as days from organization_retention r
          where ${days} is not null and r.organization_id > ${after} order by r.organization_id limit ${PAGE}`
      : sql<{ id: string; days: number }>`
          select o.id, least(${days}, ${deploymentDays}::integer) as days
          from organizations o left join organization_retention r on r.organization_id = o.id
          where o.id > ${after} order by o.id limit ${PAGE}`
    ).execute(db)
    if (rows.length > 0)
      yield rows.map((row) => ({
        organization: trusted.organizationId(row.id),
        before: new Date(now.getTime() - row.days * DAY_MS),
      }))
    after = rows.at(-1)?.id ?? after
    if (rows.length < PAGE) return
  }
}

/** The two columns of a page, for `unnest`. */
export function columnsOfDue(page: readonly Due[]): { organizations: string[]; befores: Date[] } {
  return {
    organizations: page.map(({ organization }) => organization),
    befores: page.map(({ before }) => before),
  }
}
