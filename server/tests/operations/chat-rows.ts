import { CHAT_FUNCTIONS, CHAT_TABLES } from '@atrium/contract'
import type { Chatter } from '../chapters/chat.ts'

/** Conversations that a person is in, and the newest message of one. */
export interface ChatStage {
  conversation: number
  message: number
}

/** As the rows of operations: whether others see that it was called, and arguments that succeed. */
interface ChatRow {
  visible: boolean
  /** Changes nothing. */
  reads?: true
  input?(stage: ChatStage): Record<string, unknown>
}

export const chatRows: Record<(typeof CHAT_FUNCTIONS)[number], ChatRow> = {
  open_dm: { visible: true },
  open_conversation: { visible: true },
  open_room_conversation: { visible: true },
  get_conversations: { visible: false, reads: true },
  get_recent_dms: { visible: false, reads: true },
  get_conversation_messages: {
    visible: false,
    reads: true,
    input: ({ conversation }) => ({ p_conversation_id: conversation }),
  },
  update_read_cursor: {
    visible: false,
    input: ({ conversation, message }) => ({
      p_conversation_id: conversation,
      p_last_read_message_id: message,
    }),
  },
  update_presence: { visible: true },
  get_recent_dm_presence: { visible: false, reads: true },
}

/** Everything that can be read of `/rest/v1`, by its name. */
export async function readChat(
  chatter: Pick<Chatter, 'rest'>,
  stage: ChatStage,
): Promise<Record<string, unknown>> {
  const read: Record<string, unknown> = {}
  for (const table of CHAT_TABLES) {
    const { data, error } = await chatter.rest.from(table).select('*')
    read[table] = data ?? error
  }
  for (const name of CHAT_FUNCTIONS) {
    const { reads, input } = chatRows[name]
    if (!reads) continue
    const { data, error } = await chatter.rest.rpc(name, input?.(stage))
    read[name] = data ?? error
  }
  return read
}
