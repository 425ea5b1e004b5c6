import type { Db } from '../../platform/database/database.ts'
import type { IdentityOrganizationId } from '../../platform/ids.ts'
import { type KeyRing, open, type SealingContext, seal } from '../../platform/sealed-column.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    sso_connections: {
      identity_organization_id: string
      issuer: string
      client_id: string
      sealed_client_secret: Buffer
      trusts_email: boolean
      created_at: Date
    }
  }
}

/** The single sign-on of an organization: an OpenID Connect issuer that knows its people. */
export interface Connection {
  issuer: string
  clientId: string
  /** Whether its addresses count as verified although it does not say so. */
  trustsEmail: boolean
}

export async function findConnection(
  db: Db,
  ring: KeyRing,
  organization: IdentityOrganizationId,
): Promise<(Connection & { clientSecret: string }) | undefined> {
  const row = await db
    .selectFrom('sso_connections')
    .select(['issuer', 'client_id', 'sealed_client_secret', 'trusts_email'])
    .where('identity_organization_id', '=', organization)
    .executeTakeFirst()
  if (!row) return undefined
  return {
    issuer: row.issuer,
    clientId: row.client_id,
    clientSecret: open(ring, row.sealed_client_secret, contextOf(organization)).toString(),
    trustsEmail: row.trusts_email,
  }
}

export async function hasConnection(db: Db, organization: IdentityOrganizationId): Promise<boolean> {
  const row = await db
    .selectFrom('sso_connections')
    .select('issuer')
    .where('identity_organization_id', '=', organization)
    .executeTakeFirst()
  return row !== undefined
}

/** Makes the connection of an organization, in the place of the one it had. */
export async function saveConnection(
  db: Db,
  ring: KeyRing,
  connection: Connection & { organization: IdentityOrganizationId; clientSecret: string },
  now: Date,
): Promise<void> {
  const { organization } = connection
  const row = {
    issuer: connection.issuer,
    client_id: connection.clientId,
    sealed_client_secret: seal(ring, connection.clientSecret, contextOf(organization)),
    trusts_email: connection.trustsEmail,
    created_at: now,
  }
  await db
    .insertInto('sso_connections')
    .values({ identity_organization_id: organization, ...row })
    .onConflict((conflict) => conflict.column('identity_organization_id').doUpdateSet(row))
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
export async function listConnections(db: Db): Promise<(Connection & { organization: string })[]> {
  const rows = await db
    .selectFrom('sso_connections')
    .select(['identity_organization_id', 'issuer', 'client_id', 'trusts_email'])
    .orderBy('identity_organization_id')
    .execute()
  return rows.map((row) => ({
    organization: row.identity_organization_id,
    issuer: row.issuer,
    clientId: row.client_id,
    trustsEmail: row.trusts_email,
  }))
}

function contextOf(organization: IdentityOrganizationId): SealingContext {
  return ['sso_connections.sealed_client_secret', organization]
}
