import type { Reply } from '@atrium/contract'
import { listBearerTokens } from '../../../access/bearers/bearer-token-store.ts'
import type { CallerOf } from '../../../access/caller.ts'
import type { Db } from '../../../platform/database/database.ts'

interface Needs {
  db: Db
}

/** The directory connections of the active organization, never their tokens. */
export async function listDirectoryConnections(
  needs: Needs,
  caller: CallerOf<'listDirectoryConnections'>,
): Promise<Reply<'listDirectoryConnections'>> {
  const tokens = await listBearerTokens(needs.db, caller.organization.id, 'scim')
  const connections = tokens.map(({ id, name, createdBy, createdAt, lastUsedAt }) => ({
    id,
    name,
    createdBy: createdBy ?? '',
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }))
  return { status: 200, body: { connections } }
}
