import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../access/caller.ts'
import { invalidCursor, type RowPosition } from '../../platform/cursor.ts'
import { readCursorPage } from '../../platform/cursor-page.ts'
import type { Db } from '../../platform/database/database.ts'
import { parseInternalId } from '../../platform/ids.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type DeliveryRow, listDeliveries } from './delivery-store.ts'
import { findWebhook } from './webhook-store.ts'

interface Needs {
  db: Db
}

/** What became of the events of a webhook of the active organization, newest first. */
export async function listWebhookDeliveries(
  needs: Needs,
  caller: CallerOf<'listWebhookDeliveries'>,
  input: Input<'listWebhookDeliveries'>,
): Promise<Reply<'listWebhookDeliveries'>> {
  const id = parseInternalId(input.id)
  const webhook = id === undefined ? undefined : await findWebhook(needs.db, caller.organization.id, id)
  if (!webhook) throw Refusal.of('webhook-not-found')
  const page = await readCursorPage(
    input,
    (row: DeliveryRow) => ({ at: row.created_at, id: row.id }),
    ({ olderThan, newerThan, ...range }) => {
      requireIds({ after: olderThan, before: newerThan })
      const bounds = { ...(olderThan ? { olderThan } : {}), ...(newerThan ? { newerThan } : {}) }
      return listDeliveries(needs.db, webhook.id, { ...range, ...bounds })
    },
  )
  const data = page.rows.map((row) => ({
    id: row.id,
    event: row.event,
    eventId: row.event_id,
    at: row.created_at.toISOString(),
    attempts: row.attempts,
    state: row.state,
    status: row.status,
  }))
  return { status: 200, body: { data, before: page.before, after: page.after } }
}

/** Cursors of another list have other ids. */
function requireIds(cursors: Record<string, RowPosition | undefined>): void {
  for (const [field, position] of Object.entries(cursors))
    if (position && parseInternalId(position.id) === undefined) throw invalidCursor(field)
}
