import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import type { Db } from '../../platform/database/database.ts'
import { parseInternalId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { endSubscription } from './subscription-store.ts'

interface Needs {
  db: Db
}

/** Tells one browser of the caller nothing any more. */
export async function endPushSubscription(
  { db }: Needs,
  { user }: CallerOf<'endPushSubscription'>,
  input: Input<'endPushSubscription'>,
): Promise<Reply<'endPushSubscription'>> {
  const id = parseInternalId(input.id)
  if (id === undefined || !(await endSubscription(db, user.id, id)))
    throw Refusal.of('push-subscription-not-found')
  return { status: 204 }
}
