import { randomBytes } from 'node:crypto'
import { type Generated, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { type IdentityOrganizationId, trusted } from '../../platform/ids.ts'
import { ProviderFailure } from '../../platform/refusal.ts'
import {
  type KeyRing,
  open,
  type SealingContext,
  seal,
  UnsealError,
} from '../../platform/secrets/sealed-column.ts'
import { type SealedPlace, sealedColumn } from '../../platform/secrets/sealed-place.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    sso_connections: {
      identity_organization_id: string
      issuer: string
      client_id: string
      sealed_client_secret: Buffer
      trusts_email: boolean
      created_at: Date
      redirect_name: Generated<string>
      shares_address: Generated<boolean>
      ends_sessions: Generated<boolean>
    }
  }
}

/** The single sign-on of an organization: an OpenID Connect issuer that knows its people. */
export interface Connection {
  issuer: string
  clientId: string
  /** Whether its e-mail addresses count as verified even where it does not say so. */
  trustsEmail: boolean
}

/** Where browsers come back to from the issuer of a connection. */
export interface RedirectAddress {
  /** Last part of the address that is this connection's alone. */
  redirectName: string
  /** What is registered at the issuer may be the address that all connections had in common, from earlier. */
  sharesAddress: boolean
}

export interface SignOutThere {
  /** A trial has shown that a sign-out at the issuer comes back to us. */
  endsSessions: boolean
}

/** Random, so that it stays free when a connection moves to another issuer. */
const REDIRECT_NAME_BYTES = 16

export function newRedirectName(): string {
  return randomBytes(REDIRECT_NAME_BYTES).toString('hex')
}

/** @throws ProviderFailure where no key opens its client secret: not before it is set up again, or the key is back */
export async function findConnection(
  db: Db,
  ring: KeyRing,
  organization: IdentityOrganizationId,
): Promise<(Connection & RedirectAddress & SignOutThere & { clientSecret: string }) | undefined> {
  const row = await db
    .selectFrom('sso_connections')
    .select([
      'issuer',
      'client_id',
      'sealed_client_secret',
      'trusts_email',
      'redirect_name',
      'shares_address',
      'ends_sessions',
    ])
    .where('identity_organization_id', '=', organization)
    .executeTakeFirst()
  if (!row) return undefined
  return {
    issuer: row.issuer,
    clientId: row.client_id,
    clientSecret: clientSecretIn(ring, row.sealed_client_secret, contextOf(organization)),
    trustsEmail: row.trusts_email,
    redirectName: row.redirect_name,
    sharesAddress: row.shares_address,
    endsSessions: row.ends_sessions,
  }
}

/** @throws ProviderFailure where no key opens it */
export function clientSecretIn(ring: KeyRing, sealed: Buffer, context: SealingContext): string {
  try {
    return open(ring, sealed, context).toString()
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error
    throw new ProviderFailure('single sign-on', 'opening its client secret', {
      // it works again once the key is back
      retryable: true,
      cause: error,
    })
  }
}

/** The same without its secret, to show. */
export async function readConnection(
  db: Db,
  organization: IdentityOrganizationId,
): Promise<(Connection & RedirectAddress) | undefined> {
  return await db
    .selectFrom('sso_connections')
    .select([
      'issuer',
      'client_id as clientId',
      'trusts_email as trustsEmail',
      'redirect_name as redirectName',
      'shares_address as sharesAddress',
    ])
    .where('identity_organization_id', '=', organization)
    .executeTakeFirst()
}

export async function hasConnection(db: Db, organization: IdentityOrganizationId): Promise<boolean> {
  const row = await db
    .selectFrom('sso_connections')
    .select('issuer')
    .where('identity_organization_id', '=', organization)
    .executeTakeFirst()
  return row !== undefined
}

export async function listConnected(db: Db): Promise<Set<IdentityOrganizationId>> {
  const rows = await db.selectFrom('sso_connections').select('identity_organization_id').execute()
  return new Set(rows.map((row) => trusted.identityOrganizationId(row.identity_organization_id)))
}

/**
 * Makes the connection of an organization, in place of the one it had.
 * @param redirectName only where it was told beforehand
 * @returns the last part of its redirect address: where none was told, at the issuer that it had the one that it had
 */
export async function saveConnection(
  db: Db,
  ring: KeyRing,
  connection: Connection & {
    organization: IdentityOrganizationId
    clientSecret: string
    redirectName?: string
    endsSessions?: boolean
  },
  now: Date,
): Promise<string> {
  const { organization } = connection
  const row = {
    issuer: connection.issuer,
    client_id: connection.clientId,
    sealed_client_secret: seal(ring, connection.clientSecret, contextOf(organization)),
    trusts_email: connection.trustsEmail,
    created_at: now,
    shares_address: false,
    ends_sessions: connection.endsSessions ?? false,
  }
  const told = connection.redirectName !== undefined
  const redirectName = connection.redirectName ?? newRedirectName()
  const saved = await db
    .insertInto('sso_connections')
    .values({ identity_organization_id: organization, ...row, redirect_name: redirectName })
    .onConflict((conflict) =>
      conflict.column('identity_organization_id').doUpdateSet({
        ...row,
        // What an issuer was told is its own: the next one gets another.
        redirect_name: sql<string>`case when sso_connections.issuer = excluded.issuer and not ${told}::boolean
          then sso_connections.redirect_name else excluded.redirect_name end`,
      }),
    )
    .returning('redirect_name')
    .executeTakeFirstOrThrow()
  return saved.redirect_name
}

/** Keeps what a trial of what is in force has shown. */
export async function keepSignOutThere(
  db: Db,
  organization: IdentityOrganizationId,
  { endsSessions }: SignOutThere,
): Promise<void> {
  await db
    .updateTable('sso_connections')
    .set({ ends_sessions: endsSessions })
    .where('identity_organization_id', '=', organization)
    .execute()
}

export async function removeConnection(db: Db, organization: IdentityOrganizationId): Promise<boolean> {
  const removed = await db
    .deleteFrom('sso_connections')
    .where('identity_organization_id', '=', organization)
    .returning('issuer')
    .execute()
  return removed.length === 1
}

/** All connections, without their secrets. */
export async function listConnections(
  db: Db,
): Promise<(Connection & RedirectAddress & { organization: string })[]> {
  const rows = await db
    .selectFrom('sso_connections')
    .select([
      'identity_organization_id',
      'issuer',
      'client_id',
      'trusts_email',
      'redirect_name',
      'shares_address',
    ])
    .orderBy('identity_organization_id')
    .execute()
  return rows.map((row) => ({
    organization: row.identity_organization_id,
    issuer: row.issuer,
    clientId: row.client_id,
    trustsEmail: row.trusts_email,
    redirectName: row.redirect_name,
    sharesAddress: row.shares_address,
  }))
}

/** For resealing. */
export function sealedConnections(ring: KeyRing): SealedPlace {
  return sealedColumn({
    name: 'client secrets of single sign-on',
    ring,
    table: 'sso_connections',
    column: 'sealed_client_secret',
    key: ['identity_organization_id'],
    contextOf: (row) => contextOf(String(row.identity_organization_id)),
  })
}

function contextOf(organization: string): SealingContext {
  return ['sso_connections.sealed_client_secret', organization]
}
