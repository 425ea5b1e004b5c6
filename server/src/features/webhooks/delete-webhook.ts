import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { onWebhook } from './change-webhook.ts'
import { removeWebhook } from './webhook-store.ts'

interface Needs {
  db: Db
  clock: Clock
}

/** Deletes a webhook of the active organization, with its log. What waits for it is not sent any more. */
export async function deleteWebhook(
  needs: Needs,
  caller: CallerOf<'deleteWebhook'>,
  input: Input<'deleteWebhook'>,
): Promise<Reply<'deleteWebhook'>> {
  await onWebhook(needs, caller, input.id, 'webhook.deleted', async (tx, { id, url }) => {
    await removeWebhook(tx, id)
    return { answer: undefined, detail: { host: new URL(url).host } }
  })
  return { status: 204 }
}
