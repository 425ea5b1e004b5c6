import type { ChatMessage, ConversationRow } from '@atrium/client/chat'
import { usePeople, useRoom } from '@atrium/react'
import { useMembership } from '../../live/permissions.ts'
import { useChatWords } from '../../words/chat.ts'
import { useOwnId } from '../message/own-id.ts'
import type { Mentionable } from './stored-mentions.ts'

/**
 * Whom one can mention in a conversation: its other members. Of a room's those are known who have written or are inside.
 * Moderators can mention everybody.
 */
export function useMentionables(
  row: ConversationRow | undefined,
  messages: readonly ChatMessage[],
): readonly Mentionable[] {
  const words = useChatWords()
  const { people } = usePeople()
  const ownId = useOwnId()
  const role = useMembership()?.role
  const room = useRoom(row?.room_id ?? undefined)
  const known = new Set([
    ...(row?.members ?? []).map(({ user_id }) => String(user_id)),
    ...(room?.people ?? []).map(({ userId }) => userId),
    ...messages.map(({ sender_id }) => String(sender_id)),
  ])
  const members = people
    .filter(({ id }) => known.has(id) && id !== ownId)
    .map(({ id, displayName, email }) => ({ id, name: displayName || email }))
  const isModerator = role === 'moderator' || role === 'admin'
  if (!isModerator || row === undefined || row.type === 'DM') return members
  return [...members, { id: 'room', name: words.mention.room }]
}
