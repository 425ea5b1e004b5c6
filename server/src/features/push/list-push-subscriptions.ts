import type { Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { listSubscriptions } from './subscription-store.ts'

interface Needs {
  db: Db
  clock: Clock
}

/** The browsers of the caller that are told, by what they call them. */
export async function listPushSubscriptions(
  { db, clock }: Needs,
  { user }: CallerOf<'listPushSubscriptions'>,
): Promise<Reply<'listPushSubscriptions'>> {
  const subscriptions = await listSubscriptions(db, user.id, clock.now())
  return {
    status: 200,
    body: {
      subscriptions: subscriptions.map(({ id, device, createdAt }) => ({
        id,
        device,
        createdAt: createdAt.toISOString(),
      })),
    },
  }
}
