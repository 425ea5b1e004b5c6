import { same } from '../disagreement.ts'
import { refused } from '../rule.ts'
import { asks, type Cast, DONE, OK } from './once.ts'
import { conversationOfTwo } from './rooms.ts'

interface Message {
  message_id: number
  content: string
  is_deleted: boolean
  reactions: { emoji: string; count: number; mine: boolean }[]
  mentions: string[]
}

const CREATED = { status: 201 }

/** Two people in their conversation. (decisions, Chat beside the earlier data access) */
export async function messages(cast: Cast): Promise<void> {
  const { ada, bob } = cast
  const conversationId = await conversationOfTwo(cast, ada, bob)
  const said = { conversationId, content: `Zebras at nine, <@${bob.id}>?` }
  const { message_id: messageId, mentions } = await asks<Message>(cast, ada, 'sendMessage', said, CREATED)
  same('mentions', mentions, [bob.id])
  const edited = { messageId, content: 'Zebras at ten?' }
  await asks(cast, bob, 'editMessage', edited, refused(403, 'message-of-another'))
  same('edited', (await asks<Message>(cast, ada, 'editMessage', edited)).content, 'Zebras at ten?')
  for (let twice = 0; twice < 2; twice += 1)
    await asks(cast, bob, 'addReaction', { messageId, emoji: '👍' }, DONE)
  const read = async () =>
    (await asks<{ messages: Message[] }>(cast, bob, 'listMessages', { conversationId })).messages
  same('reactions', (await read())[0]?.reactions, [{ emoji: '👍', count: 1, userIds: [bob.id], mine: true }])
  await asks(cast, bob, 'removeReaction', { messageId, emoji: '👍' }, DONE)
  await reading(cast, { conversationId, messageId })
  await asks(cast, ada, 'deleteMessage', { messageId }, DONE)
  same('deleted', [(await read())[0]?.content, (await read())[0]?.is_deleted], ['', true])
  await asks(cast, ada, 'deleteMessage', { messageId }, refused(404, 'message-not-found'))
  const quiet = { quietHours: { from: '20:00', to: '07:00', zone: 'Europe/Berlin' }, sounds: false }
  await asks(cast, bob, 'updateNotificationSettings', quiet)
  await asks(cast, bob, 'getNotificationSettings', {}, { ...OK, body: quiet })
}

interface Where {
  conversationId: number
  messageId: number
}

/** What one of them has read, keeps and finds. */
async function reading(cast: Cast, { conversationId, messageId }: Where): Promise<void> {
  const { bob } = cast
  const own = async () => {
    const { conversations } = await asks<{
      conversations: { conversationId: number; unread: number; draft: string; level: string }[]
    }>(cast, bob, 'listConversations')
    return conversations.find((one) => one.conversationId === conversationId)
  }
  same('unread', (await own())?.unread, 1)
  await asks(cast, bob, 'markRead', { conversationId, messageId }, DONE)
  same('read', (await own())?.unread, 0)
  await asks(cast, bob, 'markUnread', { conversationId, messageId }, DONE)
  same('unread again', (await own())?.unread, 1)
  await asks(cast, bob, 'setDraft', { conversationId, content: 'Ten is' }, DONE)
  await asks(cast, bob, 'setConversationLevel', { conversationId, level: 'mentions' }, DONE)
  same('kept', [(await own())?.draft, (await own())?.level], ['Ten is', 'mentions'])
  await asks(cast, bob, 'followThread', { messageId, follow: true }, DONE)
  const { threads } = await asks<{ threads: { follows: boolean }[] }>(cast, bob, 'listThreads', { messageId })
  same('followed', threads[0]?.follows, true)
  const found = async (query: string) =>
    (await asks<{ hits: unknown[] }>(cast, bob, 'searchMessages', { query })).hits.length
  same('found by its words, and by none of before', [await found('zebras'), await found('nine')], [1, 0])
}
