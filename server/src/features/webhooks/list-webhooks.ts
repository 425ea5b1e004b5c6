import type { Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import type { Db } from '../../platform/database/database.ts'
import { listWebhooksOf } from './webhook-store.ts'
import { toWebhook } from './webhook-view.ts'

interface Needs {
  db: Db
}

/** The webhooks of the active organization, never their secrets. */
export async function listWebhooks(
  needs: Needs,
  caller: CallerOf<'listWebhooks'>,
): Promise<Reply<'listWebhooks'>> {
  const webhooks = await listWebhooksOf(needs.db, caller.organization.id)
  return { status: 200, body: { webhooks: webhooks.map(toWebhook) } }
}
