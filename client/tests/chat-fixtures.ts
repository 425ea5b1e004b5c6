import type { MessageRow, MessageShown } from '../chat/chat-data.ts'

/** A token of the chat data, as the client reads it. Its signature is none. */
export function chatToken({ userId = 1, organization = 7, expiresInSeconds = 3_600 } = {}): string {
  const claims = {
    ...{ user_id: userId, org_id: organization },
    exp: Math.floor(Date.now() / 1_000) + expiresInSeconds,
  }
  return `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`
}

/** A message of the earlier data access. */
export function messageRow(message_id: number, more: Partial<MessageRow> = {}): MessageRow {
  return {
    message_id,
    conversation_id: 18,
    org_id: 7,
    sender_id: 42,
    content: `message ${message_id}`,
    parent_message_id: null,
    client_message_id: null,
    reply_count: 0,
    is_edited: false,
    is_deleted: false,
    created_at: '2026-03-23T11:58:04.512+00:00',
    updated_at: '2026-03-23T11:58:04.512+00:00',
    ...more,
  }
}

/** The same with what the newer operations show beside it. */
export function messageShown(message_id: number, more: Partial<MessageShown> = {}): MessageShown {
  return {
    ...messageRow(message_id),
    ...{ editedAt: null, reactions: [], attachments: [], mentions: [] },
    ...more,
  }
}
