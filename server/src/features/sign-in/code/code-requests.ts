import type { Db } from '../../../platform/database/database.ts'
import {
  type KeyRing,
  openOrNothing,
  type SealingContext,
  seal,
} from '../../../platform/secrets/sealed-column.ts'

declare module '../../../platform/database/database.ts' {
  interface Tables {
    code_requests: {
      email: string
      browser_hash: Buffer
      sealed_purpose: Buffer | null
      created_at: Date
      expires_at: Date
    }
  }
}

/** What a code does besides signing in: it joins an organization by an invitation, or spends a pilot token. */
export type CodePurpose =
  /** `organization`: where the token led when the code was asked for, in the form the wire knows. */
  { kind: 'member'; token: string; organization: string } | { kind: 'pilot'; token: string }

/** That a code was asked for, by a browser, for an address. */
export interface CodeRequest {
  email: string
  browserHash: Buffer
  /** Undefined: to sign in, and nothing else. */
  purpose: CodePurpose | undefined
}

/** Keeps what the newest code of an address in a browser is for, in place of what it was for before. */
export async function keepCodeRequest(
  db: Db,
  ring: KeyRing,
  request: CodeRequest & { expiresAt: Date },
  now: Date,
): Promise<void> {
  const { email, purpose } = request
  const row = {
    sealed_purpose: purpose === undefined ? null : seal(ring, JSON.stringify(purpose), contextOf(email)),
    created_at: now,
    expires_at: request.expiresAt,
  }
  await db
    .insertInto('code_requests')
    .values({ email, browser_hash: request.browserHash, ...row })
    .onConflict((conflict) => conflict.columns(['email', 'browser_hash']).doUpdateSet(row))
    .execute()
}

/** Of a browser that has asked for a code for an address: that request. */
export async function findCodeRequest(
  db: Db,
  ring: KeyRing,
  asked: { email: string; browserHash: Buffer },
  now: Date,
): Promise<CodeRequest | undefined> {
  return await findRequest(db, ring, asked, now)
}

/** What was asked for last for an address, by whichever browser. */
export async function findNewestCodeRequest(
  db: Db,
  ring: KeyRing,
  email: string,
  now: Date,
): Promise<CodeRequest | undefined> {
  return await findRequest(db, ring, { email }, now)
}

async function findRequest(
  db: Db,
  ring: KeyRing,
  { email, browserHash }: { email: string; browserHash?: Buffer },
  now: Date,
): Promise<CodeRequest | undefined> {
  const row = await db
    .selectFrom('code_requests')
    .select(['browser_hash', 'sealed_purpose'])
    .where('email', '=', email)
    .where('expires_at', '>', now)
    .$if(browserHash !== undefined, (query) => query.where('browser_hash', '=', browserHash as Buffer))
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return undefined
  return { email, browserHash: row.browser_hash, purpose: purposeIn(ring, row.sealed_purpose, email) }
}

/** Undefined too where it was sealed under a SECRET_KEY that is no longer ours. */
function purposeIn(ring: KeyRing, sealed: Buffer | null, email: string): CodePurpose | undefined {
  if (!sealed) return undefined
  const opened = openOrNothing(ring, sealed, contextOf(email))
  return opened && (JSON.parse(opened.toString()) as CodePurpose)
}

/** Of several calls at once one is answered true. */
export async function dropCodeRequest(
  db: Db,
  asked: { email: string; browserHash: Buffer },
): Promise<boolean> {
  const dropped = await db
    .deleteFrom('code_requests')
    .where('email', '=', asked.email)
    .where('browser_hash', '=', asked.browserHash)
    .returning('email')
    .execute()
  return dropped.length === 1
}

/** Drops what every browser has asked for for an address: codes of every purpose only sign in then. */
export async function dropCodeRequestsOf(db: Db, email: string): Promise<void> {
  await db.deleteFrom('code_requests').where('email', '=', email).execute()
}

/** Removes what expired before a moment. */
export async function purgeCodeRequests(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('code_requests').where('expires_at', '<', before).execute()
}

function contextOf(email: string): SealingContext {
  return ['code_requests.sealed_purpose', email]
}
