import type { OperationId } from '@atrium/contract'
import { openDm, restOf } from '../chapters/chat.ts'
import { uploadFile } from '../chapters/chat-files.ts'
import type { Person } from '../people.ts'
import { type OperationRow, reads } from './operation-row.ts'
import type { Stage } from './stage.ts'

type Actor = Pick<Person, 'id' | 'browser'>

/** The conversation of the caller with the guest of the stage. */
async function conversationOf({ office, guest }: Stage, actor: Actor): Promise<number> {
  const { token } = await actor.browser.call('mintChatToken')
  return await openDm({ rest: restOf(office, token) }, guest)
}

/** A message of the caller. */
async function messageOf(stage: Stage, actor: Actor): Promise<{ conversationId: number; messageId: number }> {
  const conversationId = await conversationOf(stage, actor)
  const { message_id } = await actor.browser.call('sendMessage', { conversationId, content: 'Lunch?' })
  return { conversationId, messageId: message_id }
}

/** A file of the caller, of which the bytes have come. */
async function uploadOf(stage: Stage, actor: Actor): Promise<{ attachmentId: string }> {
  const conversationId = await conversationOf(stage, actor)
  return { attachmentId: await uploadFile(stage.office, actor, { conversationId }) }
}

const ownChoice = { none: 'it is of the caller alone' }
const inConversation = { none: 'it is seen in the conversation' }

/** Of what is written in conversations. */
export const messageRows = {
  listMessages: {
    input: async (stage, actor) => ({ conversationId: await conversationOf(stage, actor) }),
    visible: false,
    audit: reads,
  },
  sendMessage: {
    input: async (stage, actor) => ({ conversationId: await conversationOf(stage, actor), content: 'Hello' }),
    visible: true,
    audit: inConversation,
  },
  editMessage: {
    input: async (stage, actor) => ({
      messageId: (await messageOf(stage, actor)).messageId,
      content: 'Tea?',
    }),
    visible: true,
    audit: inConversation,
  },
  deleteMessage: {
    input: async (stage, actor) => ({ messageId: (await messageOf(stage, actor)).messageId }),
    visible: true,
    audit: { none: 'it is one’s own; of others’ the trail says whose it was' },
  },
  createAttachmentTicket: {
    input: async (stage, actor) => ({
      conversationId: await conversationOf(stage, actor),
      ...{ name: 'notes.txt', contentType: 'text/plain', bytes: 5 },
    }),
    visible: true,
    audit: inConversation,
  },
  finalizeAttachment: { input: uploadOf, visible: false, audit: inConversation },
  getAttachment: {
    async input(stage, actor) {
      const upload = await uploadOf(stage, actor)
      await actor.browser.call('finalizeAttachment', upload)
      return upload
    },
    visible: false,
    audit: reads,
  },
  addReaction: {
    input: async (stage, actor) => ({ messageId: (await messageOf(stage, actor)).messageId, emoji: '👍' }),
    visible: true,
    audit: inConversation,
  },
  removeReaction: {
    async input(stage, actor) {
      const { messageId } = await messageOf(stage, actor)
      await actor.browser.call('addReaction', { messageId, emoji: '👍' })
      return { messageId, emoji: '👍' }
    },
    visible: true,
    audit: inConversation,
  },
  listConversations: { visible: false, audit: reads },
  setConversationLevel: {
    input: async (stage, actor) => ({
      conversationId: await conversationOf(stage, actor),
      level: 'mentions',
    }),
    visible: false,
    audit: ownChoice,
  },
  markRead: { input: messageOf, visible: false, audit: ownChoice },
  markUnread: { input: messageOf, visible: false, audit: ownChoice },
  setDraft: {
    input: async (stage, actor) => ({ conversationId: await conversationOf(stage, actor), content: 'Dear' }),
    visible: false,
    audit: ownChoice,
  },
  searchMessages: { input: () => ({ query: 'lunch' }), visible: false, audit: reads },
  listThreads: {
    input: async (stage, actor) => ({ messageId: (await messageOf(stage, actor)).messageId }),
    visible: false,
    audit: reads,
  },
  followThread: {
    input: async (stage, actor) => ({ messageId: (await messageOf(stage, actor)).messageId, follow: true }),
    visible: false,
    audit: ownChoice,
  },
} as const satisfies Partial<Record<OperationId, OperationRow>>
