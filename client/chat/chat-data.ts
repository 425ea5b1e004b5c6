import type { EventData, Input, Reply } from '@atrium/contract'
import { AtriumUnreachable } from '../errors.ts'
import type { AtriumClient } from '../index.ts'
import type { OutboxOwner } from '../outbox/entry.ts'
import { type ChatAccess, callChat, ownerOf, requireOwner, tokenNow } from '../requests/chat-access.ts'
import type { Attachment, FileUploadOptions, NewFile } from './file-upload.ts'

/** In chat, people have their `User.id` as a number. */
export type ChatUserId = number

/** A row of `messages`. */
export type MessageRow = EventData<'message.created'>

/** A message with its reactions, files and mentions. */
export type MessageShown = Reply<'listMessages'>['body']['messages'][number]

/** A page of messages, oldest first; `before` and `after` lead to the next ones, null: there are none. */
export type MessagePage = Reply<'listMessages'>['body']

/** Which page: without a place the newest one. */
export type MessagePlace = Pick<
  Input<'listMessages'>,
  'before' | 'after' | 'around' | 'from' | 'parentMessageId'
>

/** A conversation as the list shows it: of two, of a group, or of a room. */
export type ConversationRow = DirectConversationRow | GroupConversationRow | RoomConversationRow

export interface DirectConversationRow extends ListedConversation {
  type: 'DM'
  title: null
  room_id: null
  peer_user_id: ChatUserId
  peer_email: string
  peer_display_name: string
  peer_avatar_url: string | null
  peer_status: 'online' | 'away' | 'offline'
  peer_last_seen_at: string | null
}

export interface GroupConversationRow extends ListedConversation, WithoutPeer {
  type: 'GROUP'
  title: string | null
  room_id: null
}

export interface RoomConversationRow extends ListedConversation, WithoutPeer {
  type: 'ROOM'
  /** The name of the room. */
  title: string
  room_id: string
}

/** Another person in a conversation. */
export interface ConversationMember {
  user_id: ChatUserId
  display_name: string
  avatar_url: string | null
  /** Still a member of the organization. */
  is_active: boolean
}

interface WithoutPeer {
  peer_user_id: null
  peer_email: null
  peer_display_name: null
  peer_avatar_url: null
  peer_status: null
  peer_last_seen_at: null
}

interface ListedConversation {
  conversation_id: number
  /** The others of a conversation of two or of a group; none of a room's. */
  members: ConversationMember[]
  last_message_content: string | null
  last_message_sender: ChatUserId | null
  last_message_at: string | null
  unread_count: number
  updated_at: string
}

export interface NewMessage {
  conversation_id: number
  /** Empty: it has files alone. */
  content: string
  parent_message_id: number | null
  client_message_id: string
  /** Finished uploads. */
  attachments?: readonly Attachment[]
}

/** Up to where a conversation is read. */
export interface ReadMark {
  conversation_id: number
  message_id: number
}

/** What is asked of a message that the office has, as the outbox keeps it. */
export interface MessageChange {
  conversation_id: number
  message_id: number
  /** Of an edit. */
  content?: string
  /** Of a reaction. */
  emoji?: string
  added?: boolean
}

/** The functions and rows of chat, with a token that renews itself. All reject as `call` does. */
export interface ChatData {
  /** The person of the token. */
  me(): Promise<ChatUserId>
  /** Person and organization of the token. */
  owner(): Promise<OutboxOwner>
  openDirect(peer: ChatUserId): Promise<number>
  openGroup(others: readonly ChatUserId[], title?: string): Promise<number>
  openRoom(roomId: string): Promise<number>
  /** Tells the others of a conversation that one is writing. */
  tellTyping(conversationId: number): Promise<void>
  /** The one that moved last first. `cursor`: `updated_at` of the last row. */
  conversations(limit: number, cursor?: string): Promise<ConversationRow[]>
  messages(conversationId: number, limit: number, place?: MessagePlace): Promise<MessagePage>
  /**
   * The same message may be sent again: it is there once, and the answer is that one row. Rejects with `NotTheirSession`
   * where the session is not the owner's.
   */
  send(message: NewMessage, owner: OutboxOwner): Promise<MessageRow>
  /** Rejects with `NotTheirSession` where the session is not the owner's. */
  markRead(mark: ReadMark, owner: OutboxOwner): Promise<void>
  /** Marks as unread from a message on. */
  markUnread(mark: ReadMark): Promise<void>
  /** This and the next two reject with `NotTheirSession` where the session is not the owner's. */
  edit(change: MessageChange, owner: OutboxOwner): Promise<MessageShown>
  remove(change: MessageChange, owner: OutboxOwner): Promise<void>
  react(change: MessageChange, owner: OutboxOwner): Promise<void>
  upload(conversationId: number, file: NewFile, options?: FileUploadOptions): Promise<Attachment>
  addressOf(attachmentId: string, options?: { preview?: boolean }): Promise<string>
  /** After a switch of the organization: the next call takes a token of the new one. */
  forgetToken(): void
}

export function createChatData(client: AtriumClient): ChatData {
  const access: ChatAccess = { client, minting: undefined }
  return {
    me: async () => (await tokenNow(access)).userId,
    owner: async () => ownerOf(await tokenNow(access)),
    openDirect: (peer) => opened(access, 'open_dm', { p_peer_user_id: peer }),
    openGroup: (others, title) =>
      opened(access, 'open_conversation', {
        p_user_ids: others,
        ...(title !== undefined && { p_title: title }),
      }),
    openRoom: (roomId) => opened(access, 'open_room_conversation', { p_room_id: roomId }),
    async tellTyping(conversationId) {
      await client.call('tellTyping', { conversationId })
    },
    conversations: (limit, cursor) =>
      callChat(access, 'rpc/get_conversations', {
        p_limit: limit,
        ...(cursor !== undefined && { p_cursor: cursor }),
      }),
    messages: (conversationId, limit, place = {}) =>
      client.call('listMessages', { conversationId, limit, ...place }),
    async markUnread({ conversation_id: conversationId, message_id: messageId }) {
      await client.call('markUnread', { conversationId, messageId })
    },
    ...sendersOf(access),
    async upload(conversationId, file, options) {
      // which was loaded beside the page
      const { uploadFile } = await import('./file-upload.ts')
      return await uploadFile(client, conversationId, file, options)
    },
    addressOf: async (attachmentId, { preview = false } = {}) =>
      (await client.call('getAttachment', { attachmentId, preview })).url,
    forgetToken() {
      access.minting = undefined
    },
  }
}

/** What the outbox sends, in the name of its owner alone. */
function sendersOf(access: ChatAccess): Pick<ChatData, 'send' | 'markRead' | 'edit' | 'remove' | 'react'> {
  const { client } = access
  return {
    async send({ attachments, ...message }, owner) {
      if (attachments) {
        await requireOwner(access, owner)
        return await sendWithFiles(client, { ...message, attachments })
      }
      const [row] = await callChat<MessageRow[]>(access, 'messages', message, {
        prefer: 'return=representation',
        owner,
      })
      if (!row) throw new AtriumUnreachable('messages', 'The answer has no message')
      return row
    },
    async markRead({ conversation_id, message_id }, owner) {
      const input = { p_conversation_id: conversation_id, p_last_read_message_id: message_id }
      await callChat(access, 'rpc/update_read_cursor', input, { owner })
    },
    async edit({ message_id: messageId, content = '' }, owner) {
      await requireOwner(access, owner)
      return await client.call('editMessage', { messageId, content })
    },
    async remove({ message_id: messageId }, owner) {
      await requireOwner(access, owner)
      await client.call('deleteMessage', { messageId })
    },
    async react({ message_id: messageId, emoji = '', added }, owner) {
      await requireOwner(access, owner)
      await client.call(added ? 'addReaction' : 'removeReaction', { messageId, emoji })
    },
  }
}

async function opened(access: ChatAccess, name: string, input: object): Promise<number> {
  const [row] = await callChat<{ conversation_id: number }[]>(access, `rpc/${name}`, input)
  if (!row) throw new AtriumUnreachable(name, 'The answer has no conversation')
  return row.conversation_id
}

/** Files are beside the earlier data access. */
async function sendWithFiles(
  client: AtriumClient,
  { conversation_id, content, parent_message_id, client_message_id, attachments = [] }: NewMessage,
): Promise<MessageRow> {
  return await client.call('sendMessage', {
    conversationId: conversation_id,
    ...(content !== '' && { content }),
    ...(parent_message_id !== null && { parentMessageId: parent_message_id }),
    clientMessageId: client_message_id,
    attachmentIds: attachments.map(({ id }) => id),
  })
}
