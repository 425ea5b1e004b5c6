import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { holdSession } from '../../access/sessions/session-store.ts'
import { lockUser } from '../../directory/users.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { PushKey } from './push-keys.ts'
import { requireBrowserKey, requireEndpoint } from './rules.ts'
import { putSubscription } from './subscription-store.ts'

interface Needs {
  db: Db
  clock: Clock
  pushKey: PushKey
  pushPublicOnly: boolean
}

/** Has the browser of the session in use told of what happens while nothing of the office is open. */
export async function subscribeToPush(
  needs: Needs,
  { user, session }: CallerOf<'subscribeToPush'>,
  { endpoint, keys, show }: Input<'subscribeToPush'>,
): Promise<Reply<'subscribeToPush'>> {
  const subscription = {
    user: user.id,
    session: session.id,
    key: needs.pushKey,
    endpoint: requireEndpoint(endpoint, needs.pushPublicOnly),
    browserKey: requireBrowserKey(keys.p256dh),
    browserSecret: Buffer.from(keys.auth, 'base64url'),
    shows: show,
  }
  const id = await transaction(needs.db, async (tx) => {
    // several at once are counted one after the other
    await lockUser(tx, user.id)
    if (!(await holdSession(tx, session.id))) throw Refusal.of('unauthenticated')
    return await putSubscription(tx, subscription, needs.clock.now())
  })
  return { status: 201, body: { id } }
}
