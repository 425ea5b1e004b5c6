import { sql } from 'kysely'
import { nameOrganization } from '../../directory/organizations.ts'
import type { Db } from '../../platform/database/database.ts'
import { type OrganizationId, trusted } from '../../platform/ids.ts'
import { keyIdOfStatement, type StatementSigner } from '../../platform/secrets/signed-statement.ts'
import { openCheckpoint, signCheckpoint } from './audit-checkpoint.ts'
import type { AuditCut } from './audit-retention.ts'

/** For operators: what they are, in the plural. */
export const CUTS_NAME = 'ends of shortened audit trails'

const PAGE = 500

/** How many ends are said to be signed with which key (`StatementSigner.keyId`); empty where that cannot be read. */
export async function countCutsByKey(db: Db): Promise<{ keyId: string; count: number }[]> {
  return (await listHeaders(db)).map(({ header, count }) => ({ keyId: keyIdOfStatement(header), count }))
}

/** Statements of one key begin alike: few are read, however many there are. */
async function listHeaders(db: Db): Promise<{ header: string; count: number }[]> {
  const { rows } = await sql<{ header: string; count: number }>`
    select split_part(statement, '.', 1) as header, count(*)::int as count
    from audit_cuts group by 1 order by 2 desc`.execute(db)
  return rows
}

/**
 * Signs with the current key what a former one has signed, and nothing else. A signature by a former key of another
 * place than the trail's end was tampered with: it is left as it is.
 */
export async function signCutsAnew(
  db: Db,
  { current, former }: { current: StatementSigner; former: readonly StatementSigner[] },
  signal: AbortSignal,
): Promise<{ done: number; changed: number }> {
  const told = { done: 0, changed: 0 }
  const keyIds = await Promise.all(former.map((signer) => signer.keyId()))
  const headers = (await listHeaders(db))
    .map(({ header }) => header)
    .filter((header) => keyIds.includes(keyIdOfStatement(header)))
  let page = headers.length === 0 ? [] : await listCuts(db, headers, undefined)
  for (; page.length > 0; page = await listCuts(db, headers, page.at(-1)?.organization))
    for (const cut of page) {
      if (signal.aborted) return told
      const outcome = await signAnew(db, current, former, cut)
      if (outcome !== 'gone') told[outcome] += 1
    }
  return told
}

type SignedCut = Omit<AuditCut, 'cutAt'>

async function signAnew(
  db: Db,
  current: StatementSigner,
  former: readonly StatementSigner[],
  { organization, sequence, hash, statement }: SignedCut,
): Promise<'done' | 'changed' | 'gone'> {
  const signed = await openCheckpoint(former, statement)
  const { identityId } = await nameOrganization(db, organization)
  const isOfIt =
    signed?.organizationId === identityId &&
    signed.sequence === sequence &&
    signed.hash === hash.toString('hex')
  if (!isOfIt) return 'changed'
  const again = await signCheckpoint(current, signed)
  const { numAffectedRows } = await sql`
    update audit_cuts set statement = ${again}
    where organization_id = ${organization} and statement = ${statement}`.execute(db)
  // shortened meanwhile, and signed by that run
  return numAffectedRows === 1n ? 'done' : 'gone'
}

async function listCuts(
  db: Db,
  headers: readonly string[],
  after: OrganizationId | undefined,
): Promise<SignedCut[]> {
  const rows = await db
    .selectFrom('audit_cuts')
    .select(['organization_id as organization', 'sequence', 'hash', 'statement'])
    .where('organization_id', '>', after ?? '0')
    .where(sql<string>`split_part(statement, '.', 1)`, 'in', headers)
    .orderBy('organization_id')
    .limit(PAGE)
    .execute()
  return rows.map((row) => ({ ...row, organization: trusted.organizationId(row.organization) }))
}
