import { randomBytes } from 'node:crypto'
import type { Generated } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { IdentityOrganizationId } from '../../platform/ids.ts'
import { type KeyRing, type SealingContext, seal } from '../../platform/secrets/sealed-column.ts'
import { type SealedPlace, sealedColumn } from '../../platform/secrets/sealed-place.ts'
import type { ConnectionDraft } from '../../ports/connections.ts'
import { clientSecretIn } from './connection-store.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    sso_drafts: {
      identity_organization_id: string
      issuer: string
      client_id: string
      sealed_client_secret: Buffer
      trusts_email: boolean
      redirect_name: string
      revision: string
      created_at: Date
      tested_at: Date | null
      tested_domain: string | null
      ends_sessions: Generated<boolean>
    }
  }
}

const REVISION_BYTES = 16

/** @throws ProviderFailure where no key opens its client secret */
export async function findDraft(
  db: Db,
  ring: KeyRing,
  organization: IdentityOrganizationId,
): Promise<(ConnectionDraft & { clientSecret: string }) | undefined> {
  const row = await rowOf(db, organization)
  if (!row) return undefined
  const clientSecret = clientSecretIn(ring, row.sealed_client_secret, contextOf(organization))
  return { ...toDraft(row), clientSecret }
}

/** The same without its secret, to show. */
export async function readDraft(
  db: Db,
  organization: IdentityOrganizationId,
): Promise<ConnectionDraft | undefined> {
  const row = await rowOf(db, organization)
  return row && toDraft(row)
}

export async function saveDraft(
  db: Db,
  ring: KeyRing,
  draft: {
    organization: IdentityOrganizationId
    issuer: string
    clientId: string
    clientSecret: string
    trustsEmail: boolean
    redirectName: string
  },
  now: Date,
): Promise<void> {
  const row = {
    issuer: draft.issuer,
    client_id: draft.clientId,
    sealed_client_secret: seal(ring, draft.clientSecret, contextOf(draft.organization)),
    trusts_email: draft.trustsEmail,
    redirect_name: draft.redirectName,
    revision: randomBytes(REVISION_BYTES).toString('hex'),
    created_at: now,
    tested_at: null,
    tested_domain: null,
    ends_sessions: false,
  }
  await db
    .insertInto('sso_drafts')
    .values({ identity_organization_id: draft.organization, ...row })
    .onConflict((conflict) => conflict.column('identity_organization_id').doUpdateSet(row))
    .execute()
}

/** @returns false where the draft is another one by now */
export async function keepPassedTest(
  db: Db,
  organization: IdentityOrganizationId,
  { revision, domain, endsSessions }: { revision: string; domain: string; endsSessions: boolean },
  now: Date,
): Promise<boolean> {
  const kept = await db
    .updateTable('sso_drafts')
    .set({ tested_at: now, tested_domain: domain, ends_sessions: endsSessions })
    .where('identity_organization_id', '=', organization)
    .where('revision', '=', revision)
    .returning('revision')
    .execute()
  return kept.length === 1
}

export async function removeDraft(db: Db, organization: IdentityOrganizationId): Promise<boolean> {
  const removed = await db
    .deleteFrom('sso_drafts')
    .where('identity_organization_id', '=', organization)
    .returning('revision')
    .execute()
  return removed.length === 1
}

/** For resealing. */
export function sealedDrafts(ring: KeyRing): SealedPlace {
  return sealedColumn({
    name: 'client secrets of single sign-on that is being set up',
    ring,
    table: 'sso_drafts',
    column: 'sealed_client_secret',
    key: ['identity_organization_id'],
    contextOf: (row) => contextOf(String(row.identity_organization_id)),
  })
}

async function rowOf(db: Db, organization: IdentityOrganizationId) {
  return await db
    .selectFrom('sso_drafts')
    .selectAll()
    .where('identity_organization_id', '=', organization)
    .executeTakeFirst()
}

function toDraft(row: NonNullable<Awaited<ReturnType<typeof rowOf>>>): ConnectionDraft {
  const { tested_at: at, tested_domain: domain } = row
  return {
    issuer: row.issuer,
    clientId: row.client_id,
    trustsEmail: row.trusts_email,
    redirectName: row.redirect_name,
    revision: row.revision,
    endsSessions: row.ends_sessions,
    tested: at && domain !== null ? { at, domain } : null,
  }
}

function contextOf(organization: string): SealingContext {
  return ['sso_drafts.sealed_client_secret', organization]
}
