import { sql } from 'kysely'
import { nameOrganization } from '../../directory/organizations.ts'
import { columnsOfDue, type Due } from '../../directory/retention.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { type OrganizationId, trusted } from '../../platform/ids.ts'
import type { StatementSigner } from '../../platform/secrets/signed-statement.ts'
import { signCheckpoint } from './audit-checkpoint.ts'
import { lockHead, OPERATOR, recordAudit } from './audit-trail.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    /** Up to where trails were removed. */
    audit_cuts: { organization_id: string; sequence: string; hash: Buffer; cut_at: Date; statement: string }
  }
}

export interface ShorteningNeeds {
  db: Db
  signer: StatementSigner
  now: Date
}

/** The entry that a trail says of itself, with how far it was shortened. */
export const SHORTENED = 'audit-log.shortened'

const BATCH = 2_000
const PAGE = 200

/**
 * Removes the beginning of trails, as far as its time is over. What is left can still be verified: the last entry that was
 * removed is kept as a signed checkpoint, and the trail itself says that it was shortened, and up to where.
 * @returns how many entries
 */
export async function shortenTrails(
  needs: ShorteningNeeds,
  due: readonly Due[],
  signal: AbortSignal,
): Promise<number> {
  let removed = 0
  for (const { organization, before } of await listOverdue(needs.db, due))
    while (!signal.aborted) {
      const batch = await transaction(needs.db, (tx) => shorten(tx, needs, organization, before))
      removed += batch
      if (batch < BATCH) break
    }
  return removed
}

/** The trails with a first entry that is over: of each trail one entry is looked at, by its number. */
async function listOverdue(db: Db, due: readonly Due[]): Promise<Due[]> {
  const { organizations, befores } = columnsOfDue(due)
  const { rows } = await sql<{ organization: string; before: Date }>`
    select due.organization, due.before
    from unnest(${organizations}::bigint[], ${befores}::timestamptz[]) as due (organization, before)
      left join audit_cuts c on c.organization_id = due.organization
      cross join lateral (select at from audit_entries
        where organization_id = due.organization and sequence > coalesce(c.sequence, 0)
        order by sequence limit 1) as first
    where first.at < due.before
      -- written by a node of an earlier release: made anew first (migration 0032)
      and not exists (select from audit_entries where organization_id = due.organization and chain = 1)`.execute(
    db,
  )
  return rows.map((row) => ({ ...row, organization: trusted.organizationId(row.organization) }))
}

/** Removes one part of a trail. @returns how many entries */
async function shorten(
  tx: Tx,
  { signer, now }: ShorteningNeeds,
  organization: OrganizationId,
  before: Date,
): Promise<number> {
  await lockHead(tx, organization)
  const last = await findLastOverdue(tx, organization, before)
  if (!last) return 0
  const { identityId } = await nameOrganization(tx, organization)
  const { sequence, hash } = last
  const checkpoint = {
    organizationId: identityId,
    sequence,
    hash: hash.toString('hex'),
    at: now.toISOString(),
  }
  const statement = await signCheckpoint(signer, checkpoint)
  await saveCut(tx, { organization, sequence, hash, cutAt: now, statement })
  await sql`delete from audit_entries where organization_id = ${organization} and sequence <= ${sequence}`.execute(
    tx,
  )
  await recordAudit(tx, organization, OPERATOR, now, {
    action: SHORTENED,
    target: { kind: 'organization', id: identityId },
    detail: { entries: last.entries, through: sequence, hash: checkpoint.hash },
  })
  return last.entries
}

interface Overdue {
  sequence: string
  hash: Buffer
  entries: number
}

/**
 * Up to where a trail is over, in one part. Undefined where nothing but the entries about earlier shortening is: a trail
 * in which nothing happens would otherwise be shortened by one entry, and get one, for ever.
 */
async function findLastOverdue(
  tx: Tx,
  organization: OrganizationId,
  before: Date,
): Promise<Overdue | undefined> {
  let after = (await readCut(tx, organization))?.sequence ?? '0'
  const over: Entry[] = []
  // a few at a time: of those that stay hardly any is read
  while (over.length < BATCH) {
    const page = await readEntries(tx, organization, after)
    const staying = page.findIndex(({ at }) => at >= before)
    over.push(...(staying === -1 ? page : page.slice(0, staying)))
    after = page.at(-1)?.sequence ?? after
    if (staying !== -1 || page.length < PAGE) break
  }
  const last = over.at(-1)
  if (!last || over.every(({ action }) => action === SHORTENED)) return undefined
  return { sequence: last.sequence, hash: last.hash, entries: over.length }
}

interface Entry {
  sequence: string
  at: Date
  hash: Buffer
  action: string
}

async function readEntries(tx: Tx, organization: OrganizationId, after: string): Promise<Entry[]> {
  const { rows } = await sql<Entry>`
    select sequence, at, hash, action from audit_entries
    where organization_id = ${organization} and sequence > ${after} order by sequence limit ${PAGE}`.execute(
    tx,
  )
  return rows
}

/** Where a trail was cut off. */
export interface AuditCut {
  organization: OrganizationId
  sequence: string
  hash: Buffer
  cutAt: Date
  /** A checkpoint of the last entry that was removed, signed by this office. */
  statement: string
}

export async function readCut(db: Db, organization: OrganizationId): Promise<AuditCut | undefined> {
  const row = await db
    .selectFrom('audit_cuts')
    .select(['sequence', 'hash', 'cut_at as cutAt', 'statement'])
    .where('organization_id', '=', organization)
    .executeTakeFirst()
  return row && { organization, ...row }
}

async function saveCut(tx: Tx, { organization, sequence, hash, cutAt, statement }: AuditCut): Promise<void> {
  const columns = { sequence, hash, cut_at: cutAt, statement }
  await tx
    .insertInto('audit_cuts')
    .values({ organization_id: organization, ...columns })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(columns))
    .execute()
}

/** Signs where a trail was cut off again: it was cut in another office. */
export async function signCutAnew(
  tx: Tx,
  signer: StatementSigner,
  organization: OrganizationId,
  now: Date,
): Promise<void> {
  const cut = await readCut(tx, organization)
  if (!cut) return
  const { identityId } = await nameOrganization(tx, organization)
  const hash = cut.hash.toString('hex')
  const checkpoint = { organizationId: identityId, sequence: cut.sequence, hash, at: now.toISOString() }
  await saveCut(tx, { ...cut, statement: await signCheckpoint(signer, checkpoint) })
}

/**
 * Removes a whole trail, of an organization that is erased. The database lets entries go that are before a cut: it is made
 * at the end, and nothing signs it.
 * @returns how many entries
 */
export async function eraseTrail(db: Db, organization: OrganizationId, now: Date): Promise<number> {
  await transaction(db, async (tx) => {
    const { rows } = await sql<{ sequence: string; hash: Buffer }>`
      select sequence, hash from audit_entries where organization_id = ${organization}
      order by sequence desc limit 1`.execute(tx)
    if (rows[0]) await saveCut(tx, { organization, ...rows[0], cutAt: now, statement: '' })
  })
  for (let total = 0; ; ) {
    const { numAffectedRows = 0n } = await sql`
      delete from audit_entries where organization_id = ${organization} and sequence in (
        select sequence from audit_entries where organization_id = ${organization}
        order by sequence limit ${BATCH})`.execute(db)
    total += Number(numAffectedRows)
    if (numAffectedRows < BigInt(BATCH)) return total
  }
}
