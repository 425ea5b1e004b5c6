import type { BearerKind } from '@atrium/contract'
import type { GeneratedAlways } from 'kysely'
import { findActiveMembership } from '../../directory/members/memberships.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { type OrganizationId, type RowId, trusted, type UserId } from '../../platform/ids.ts'
import type { BotCaller, TokenCaller, Visitor } from '../caller.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    bearer_tokens: {
      id: GeneratedAlways<string>
      organization_id: string
      kind: BearerKind
      name: string
      token_hash: Buffer
      operations: string[]
      /** The bot that it belongs to. */
      user_id: string | null
      created_by: string | null
      created_at: Date
      expires_at: Date | null
      last_used_at: Date | null
    }
  }
}

export interface NewBearerToken {
  organization: OrganizationId
  kind: BearerKind
  name: string
  tokenHash: Buffer
  operations: readonly string[]
  /** The bot that it belongs to. */
  bot?: UserId
  createdBy: UserId
  expiresAt: Date | null
}

/** @returns its id */
export async function insertBearerToken(tx: Tx, token: NewBearerToken, now: Date): Promise<string> {
  const { id } = await tx
    .insertInto('bearer_tokens')
    .values({
      organization_id: token.organization,
      kind: token.kind,
      name: token.name,
      token_hash: token.tokenHash,
      operations: [...token.operations],
      user_id: token.bot ?? null,
      created_by: token.createdBy,
      created_at: now,
      expires_at: token.expiresAt,
      last_used_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export interface BearerTokenRecord {
  id: string
  name: string
  operations: string[]
  bot: string | null
  createdBy: string | null
  createdAt: Date
  expiresAt: Date | null
  lastUsedAt: Date | null
}

/** All of an organization and of one kind, expired ones too, newest first. */
export async function listBearerTokens(
  db: Db,
  organization: OrganizationId,
  kind: BearerKind,
): Promise<BearerTokenRecord[]> {
  return await db
    .selectFrom('bearer_tokens')
    .select(['id', 'name', 'operations', 'created_by as createdBy', 'created_at as createdAt'])
    .select(['user_id as bot', 'expires_at as expiresAt', 'last_used_at as lastUsedAt'])
    .where('organization_id', '=', organization)
    .where('kind', '=', kind)
    .orderBy('id', 'desc')
    .execute()
}

export async function countBearerTokens(
  db: Db,
  organization: OrganizationId,
  kind: BearerKind,
): Promise<number> {
  const { count } = await db
    .selectFrom('bearer_tokens')
    .select((expression) => expression.fn.countAll<string>().as('count'))
    .where('organization_id', '=', organization)
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** @returns its name; undefined where there is none */
export async function deleteBearerToken(
  tx: Tx,
  organization: OrganizationId,
  kind: BearerKind,
  id: RowId,
): Promise<string | undefined> {
  const deleted = await tx
    .deleteFrom('bearer_tokens')
    .where('organization_id', '=', organization)
    .where('kind', '=', kind)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst()
  return deleted?.name
}

/** Ends all tokens of a bot. */
export async function deleteTokensOfBot(tx: Tx, organization: OrganizationId, bot: UserId): Promise<void> {
  await tx
    .deleteFrom('bearer_tokens')
    .where('organization_id', '=', organization)
    .where('kind', '=', 'bot')
    .where('user_id', '=', bot)
    .execute()
}

/** What is known of a token that may be used, without the request that it came with. */
export type KnownToken = Omit<TokenCaller, keyof Visitor> & {
  lastUsedAt: Date | null
  /** Of a bot: who it is, and as what it is at work. */
  bot?: Pick<BotCaller, 'user' | 'organization'>
}

/** The token of a hash, where it has not expired and its organization is there. */
export async function findBearerToken(
  db: Db,
  tokenHash: Buffer,
  kind: BearerKind,
  now: Date,
): Promise<KnownToken | undefined> {
  const row = await db
    .selectFrom('bearer_tokens as t')
    .innerJoin('organizations as o', 'o.id', 't.organization_id')
    .select([
      't.id',
      't.user_id as bot',
      't.operations',
      't.last_used_at as lastUsedAt',
      't.expires_at as expiresAt',
    ])
    .select(['o.id as organizationId', 'o.identity_organization_id as identityId'])
    .where('t.token_hash', '=', tokenHash)
    .where('t.kind', '=', kind)
    .where('o.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row || (row.expiresAt && row.expiresAt <= now)) return undefined
  const organization = {
    id: trusted.organizationId(row.organizationId),
    identityId: trusted.identityOrganizationId(row.identityId),
  }
  const known = {
    token: { id: row.id, kind, operations: row.operations },
    organization,
    lastUsedAt: row.lastUsedAt,
  }
  if (row.bot === null) return known
  const bot = await findActiveMembership(db, organization.id, trusted.userId(row.bot))
  if (!bot) return undefined
  const { user, role, membershipGeneration } = bot
  return { ...known, bot: { user, organization: { ...organization, role, membershipGeneration } } }
}

/** Its row is not locked for longer than this: it may be revoked at any moment. */
export async function noteBearerUse(db: Db, { token, organization }: KnownToken, now: Date): Promise<void> {
  await db
    .updateTable('bearer_tokens')
    .set({ last_used_at: now })
    .where('id', '=', token.id)
    .where('organization_id', '=', organization.id)
    .execute()
}
