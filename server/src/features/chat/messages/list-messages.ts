import type { Input } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import type { WrittenReply } from '../../../platform/http/operations.ts'
import { momentInUtc } from '../../../platform/moment.ts'
import { invalidInput } from '../../../platform/refusal.ts'
import type { OrganizationReads } from '../../../platform/replicas/organization-reads.ts'
import { readChat } from './chat-call.ts'

const LIMIT = 50

/** A page of a conversation, as the database has written it. */
export async function listMessages(
  needs: { reads: OrganizationReads },
  caller: CallerOf<'listMessages'>,
  { conversationId, parentMessageId, before, after, around, from, limit = LIMIT }: Input<'listMessages'>,
): Promise<WrittenReply<'listMessages'>> {
  if ([before, after, around, from].filter((one) => one !== undefined).length > 1)
    throw invalidInput([{ field: 'before', message: 'Give one of before, after, around and from' }])
  const place = [conversationId, parentMessageId, before, after]
  const page =
    from === undefined
      ? await readChat(needs, caller, 'list_messages($1, $2, $3, $4, $5, $6)', [...place, around, limit])
      : await readChat(needs, caller, 'list_messages($1, $2, $3, $4, message_at($1, $5), $6)', [
          ...place,
          ...[momentInUtc(from), limit],
        ])
  return { status: 200, body: Buffer.from(page) }
}
