import { same } from '../disagreement.ts'
import { refused } from '../rule.ts'
import { asks, type Cast, DONE } from './once.ts'
import { conversationOfTwo } from './rooms.ts'

interface Ticket {
  attachmentId: string
  parts: { url: string; from: number; to: number }[]
}

const NAME = 'notes.txt'
const TEXT = 'Zebras at nine'

/** A file from one of two to the other. (decisions, Chat beside the earlier data access: `attachments/*`) */
export async function files(cast: Cast): Promise<void> {
  const { ada, bob } = cast
  const conversationId = await conversationOfTwo(cast, ada, bob)
  const told = { conversationId, name: NAME, contentType: 'text/plain', bytes: TEXT.length }
  const { attachmentId, parts } = await asks<Ticket>(cast, ada, 'createAttachmentTicket', told)
  await asks(cast, ada, 'finalizeAttachment', { attachmentId }, refused(404, 'upload-not-found'))
  for (const { url, from, to } of parts) {
    const sent = { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: TEXT.slice(from, to) }
    same('the store takes it', (await fetch(url, sent)).status, 200)
  }
  const shown = { id: attachmentId, name: NAME, contentType: 'text/plain', bytes: TEXT.length }
  same('finished', await asks(cast, ada, 'finalizeAttachment', { attachmentId }), shown)
  await asks(cast, bob, 'getAttachment', { attachmentId }, refused(404, 'attachment-not-found'))
  const message = await asks<{ message_id: number; content: string; attachments: unknown[] }>(
    ...([cast, ada, 'sendMessage', { conversationId, attachmentIds: [attachmentId] }] as const),
    { status: 201 },
  )
  same('sent', [message.content, message.attachments], [NAME, [shown]])
  const { url } = await asks<{ url: string }>(cast, bob, 'getAttachment', { attachmentId })
  same('what was sent', await (await fetch(url)).text(), TEXT)
  await asks(cast, ada, 'deleteMessage', { messageId: message.message_id }, DONE)
  await asks(cast, bob, 'getAttachment', { attachmentId }, refused(404, 'attachment-not-found'))
}
