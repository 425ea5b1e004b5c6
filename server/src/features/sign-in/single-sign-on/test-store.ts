import type { SignOnTestOutcome } from '@atrium/contract'
import type { GeneratedAlways } from 'kysely'
import type { Db, Tx } from '../../../platform/database/database.ts'
import type { OrganizationId } from '../../../platform/ids.ts'
import type { TestVerdict } from './rules.ts'

declare module '../../../platform/database/database.ts' {
  interface Tables {
    sso_tests: {
      id: GeneratedAlways<string>
      organization_id: string
      session_id: string
      state_hash: Buffer
      browser_hash: Buffer
      return_path: string
      sealed_secrets: Buffer
      draft_revision: string | null
      created_at: Date
      expires_at: Date
      returned_at: Date | null
      outcome: SignOnTestOutcome | null
      email_domain: string | null
      email_verified: boolean
    }
  }
}

export interface BegunTest {
  organization: OrganizationId
  /** That began, and has to come back. */
  sessionId: string
  stateHash: Buffer
  browserHash: Buffer
  /** Where the browser has to come back to, after BASE_URL. */
  returnPath: string
  sealedSecrets: Buffer
  /** What it is of; null: of what is in force. */
  revision: string | null
  expiresAt: Date
}

export async function insertTest(db: Db, test: BegunTest, now: Date): Promise<void> {
  await db
    .insertInto('sso_tests')
    .values({
      organization_id: test.organization,
      session_id: test.sessionId,
      state_hash: test.stateHash,
      browser_hash: test.browserHash,
      return_path: test.returnPath,
      sealed_secrets: test.sealedSecrets,
      draft_revision: test.revision,
      created_at: now,
      expires_at: test.expiresAt,
      returned_at: null,
      outcome: null,
      email_domain: null,
      email_verified: false,
    })
    .execute()
}

/** A test that the session and the browser which began it bring back, for the first time. Of several at once one gets it. */
export async function takeReturnedTest(
  db: Db,
  returned: {
    organization: OrganizationId
    sessionId: string
    stateHash: Buffer
    browserHash: Buffer
    returnPath: string
  },
  now: Date,
): Promise<{ id: string; revision: string | null; sealedSecrets: Buffer } | undefined> {
  return await db
    .updateTable('sso_tests')
    .set({ returned_at: now })
    .where('state_hash', '=', returned.stateHash)
    .where('organization_id', '=', returned.organization)
    .where('session_id', '=', returned.sessionId)
    .where('browser_hash', '=', returned.browserHash)
    .where('return_path', '=', returned.returnPath)
    .where('returned_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['id', 'draft_revision as revision', 'sealed_secrets as sealedSecrets'])
    .executeTakeFirst()
}

export async function keepVerdict(
  tx: Tx,
  organization: OrganizationId,
  id: string,
  { outcome, domain, emailVerified }: TestVerdict,
): Promise<void> {
  await tx
    .updateTable('sso_tests')
    .set({ outcome, email_domain: domain, email_verified: emailVerified })
    .where('organization_id', '=', organization)
    .where('id', '=', id)
    .execute()
}

export interface EndedTest extends TestVerdict {
  at: Date
  revision: string | null
}

/** The last test of an organization that has ended. */
export async function findLastTest(
  db: Db,
  organization: OrganizationId,
  since: Date,
): Promise<EndedTest | undefined> {
  const row = await db
    .selectFrom('sso_tests')
    .select(['returned_at', 'outcome', 'email_domain', 'email_verified', 'draft_revision'])
    .where('organization_id', '=', organization)
    .where('outcome', 'is not', null)
    .where('returned_at', '>', since)
    .orderBy('returned_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row?.outcome || !row.returned_at) return undefined
  const { outcome, returned_at: at, email_domain: domain, email_verified: emailVerified } = row
  return { outcome, at, domain, emailVerified, revision: row.draft_revision }
}

/** Removes what was begun long ago. */
export async function purgeTests(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('sso_tests').where('expires_at', '<', before).execute()
}
