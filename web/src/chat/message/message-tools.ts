import type { ChatMessage, Conversation, ConversationRow } from '@atrium/client/chat'
import { useMembership } from '../../live/permissions.ts'
import type { Mentionable } from '../composer/stored-mentions.ts'
import type { Editing } from './editing.ts'
import { useOwnId } from './own-id.ts'

/** What the messages of one list have in common. */
export interface MessageTools {
  conversation: Conversation
  row: ConversationRow | undefined
  /** It takes nothing more. */
  isClosed?: boolean
  editing: Editing
  /** Whom one can mention. */
  members: readonly Mentionable[]
  /** Opens the answers to one; undefined where they are shown themselves. */
  onThread?: ((messageId: number) => void) | undefined
  /** Marks as unread from one on; undefined where nothing is marked. */
  onUnread?: ((messageId: number) => void) | undefined
}

export interface Allowed {
  /** The office has it, and it is not deleted. */
  isThere: boolean
  react: boolean
  edit: boolean
  remove: boolean
}

/** What the caller may do with a message; the office decides again. */
export function useAllowed(
  message: ChatMessage,
  { row, isClosed = false }: Pick<MessageTools, 'row' | 'isClosed'>,
): Allowed {
  const ownId = useOwnId()
  const role = useMembership()?.role
  const isModerator = role === 'moderator' || role === 'admin'
  return allowed(message, { ownId, isModerator, type: row?.type, isClosed })
}

interface Asker {
  ownId: string | undefined
  isModerator: boolean
  type: ConversationRow['type'] | undefined
  isClosed: boolean
}

/** Moderators delete what others wrote where there are more than two; what is said can be taken back in a closed one too. */
export function allowed(
  { message_id, is_deleted, sender_id }: Pick<ChatMessage, 'message_id' | 'is_deleted' | 'sender_id'>,
  { ownId, isModerator, type, isClosed }: Asker,
): Allowed {
  const isThere = message_id !== undefined && !is_deleted
  const isOwn = isThere && ownId !== undefined && String(sender_id) === ownId
  const moderates = isThere && isModerator && (type === 'GROUP' || type === 'ROOM')
  return { isThere, react: isThere && !isClosed, edit: isOwn && !isClosed, remove: isOwn || moderates }
}
