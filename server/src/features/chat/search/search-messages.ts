import type { Input, Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import { momentInUtc } from '../../../platform/moment.ts'
import { askChat, type ChatCallNeeds } from '../messages/chat-call.ts'
import { highlightsOf } from './highlights.ts'
import { decodeRelevance, encodeRelevance } from './relevance-cursor.ts'

const LIMIT = 20

type Message = Reply<'searchMessages'>['body']['hits'][number]['message']

interface Found {
  message: Message
  relevance: number
  /** The text with what was found between marks, by stems and as it is written. */
  marked: string[]
}

/** Finds messages of the caller's conversations. */
export async function searchMessages(
  needs: ChatCallNeeds,
  caller: CallerOf<'searchMessages'>,
  { query, conversationId, userId, from, to, has, limit = LIMIT, cursor: given }: Input<'searchMessages'>,
): Promise<Reply<'searchMessages'>> {
  const after = given === undefined ? undefined : decodeRelevance(given)
  const found = await askChat<Found[]>(needs, caller, 'search_messages($1, $2, $3, $4, $5, $6, $7, $8, $9)', [
    ...[query, conversationId, userId, from && momentInUtc(from), to && momentInUtc(to)],
    ...[limit + 1, after?.relevance, after?.messageId, has === 'file'],
  ])
  const hits = found.slice(0, limit)
  const last = hits.at(-1)
  const cursor =
    found.length > limit && last
      ? encodeRelevance({ relevance: last.relevance, messageId: last.message.message_id })
      : null
  return {
    status: 200,
    body: {
      hits: hits.map(({ message, marked }) => ({
        message,
        highlights: highlightsOf(message.content, marked, query),
      })),
      cursor,
    },
  }
}
