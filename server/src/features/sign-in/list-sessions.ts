import type { Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { listSessionsOf } from '../../access/sessions/session-store.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'

interface Needs {
  db: Db
  clock: Clock
}

/** Everywhere the caller is signed in, whichever organization they work in there. */
export async function listSessions(
  needs: Needs,
  caller: CallerOf<'listSessions'>,
): Promise<Reply<'listSessions'>> {
  const sessions = await listSessionsOf(needs.db, caller.user.id, needs.clock.now())
  return {
    status: 200,
    body: {
      sessions: sessions.map(({ id, createdAt, lastSeenAt, network, device }) => ({
        id,
        current: id === caller.session.id,
        createdAt: createdAt.toISOString(),
        lastUsedAt: lastSeenAt.toISOString(),
        network,
        device,
      })),
    },
  }
}
