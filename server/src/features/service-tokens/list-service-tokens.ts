import type { Reply } from '@atrium/contract'
import { listBearerTokens } from '../../access/bearers/bearer-token-store.ts'
import type { CallerOf } from '../../access/caller.ts'
import type { Db } from '../../platform/database/database.ts'

interface Needs {
  db: Db
}

/** The service tokens of the active organization, never the tokens themselves. */
export async function listServiceTokens(
  needs: Needs,
  caller: CallerOf<'listServiceTokens'>,
): Promise<Reply<'listServiceTokens'>> {
  const tokens = await listBearerTokens(needs.db, caller.organization.id, 'service')
  return {
    status: 200,
    body: {
      tokens: tokens.map(({ id, name, operations, createdBy, createdAt, expiresAt, lastUsedAt }) => ({
        ...{ id, name, operations },
        createdBy: createdBy ?? '',
        createdAt: createdAt.toISOString(),
        expiresAt: expiresAt?.toISOString() ?? null,
        lastUsedAt: lastUsedAt?.toISOString() ?? null,
      })),
    },
  }
}
