import type { Input, Reply } from '@atrium/contract'
import { sql } from 'kysely'
import { recordAudit } from '../../../access/audit/audit-trail.ts'
import type { CallerOf } from '../../../access/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import { asMember } from './chat-call.ts'

interface Needs {
  db: Db
  clock: Clock
}

interface Deleted {
  conversationId: number
  own: boolean
  /** A `User.id`, or `guest:<uuid>`. */
  author: string
}

/** Deletes a message. The audit trail names its sender where that is another member, and nothing of its text. */
export async function deleteMessage(
  { db, clock }: Needs,
  caller: CallerOf<'deleteMessage'>,
  { messageId }: Input<'deleteMessage'>,
): Promise<Reply<'deleteMessage'>> {
  const { id: organization } = caller.organization
  await transaction(db, async (tx) => {
    const { conversationId, own, author } = await asMember(tx, caller, async () => {
      const { rows } = await sql<{
        deleted: Deleted
      }>`select delete_message(${messageId}) as deleted`.execute(tx)
      return (rows[0] as { deleted: Deleted }).deleted
    })
    if (own) return
    await recordAudit(tx, organization, caller, clock.now(), {
      action: 'message.deleted',
      target: { kind: 'message', id: String(messageId) },
      detail: { conversationId: String(conversationId), author },
    })
  })
  return { status: 204 }
}
