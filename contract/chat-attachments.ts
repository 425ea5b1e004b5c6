import Type from 'typebox'
import { Attachment, AttachmentId, ConversationId } from './chat-rows.ts'
import { operation } from './operation.ts'

const chapter = 'Chat'
const access = { kind: 'organization', bots: true } as const

export const FILE_NAME_MAX = 255

export const chatAttachmentOperations = {
  createAttachmentTicket: operation({
    method: 'POST',
    path: '/api/v1/chat/attachments/ticket',
    summary: 'Get addresses to upload a file of a conversation to',
    description:
      'PUT each part of the bytes, from `from` to before `to`, to its address, with the requested type as `Content-Type`; again where one was cut off. Then finalize. The addresses take exactly as many bytes as are told here.',
    chapter,
    access,
    body: Type.Object({
      conversationId: ConversationId,
      name: Type.String({
        minLength: 1,
        maxLength: FILE_NAME_MAX,
        description:
          'Of the file. Slashes become underscores; characters that cannot be seen, or change the direction of a text, are left out',
      }),
      contentType: Type.String({
        pattern: '^[a-zA-Z0-9!#$&^_.+-]+/[a-zA-Z0-9!#$&^_.+-]+$',
        minLength: 3,
        maxLength: 127,
        label: 'the content type of the file',
      }),
      bytes: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    }),
    replies: {
      200: Type.Object({
        attachmentId: Type.String(),
        parts: Type.Array(Type.Object({ url: Type.String(), from: Type.Integer(), to: Type.Integer() })),
        expiresInSeconds: Type.Integer(),
      }),
    },
    errors: ['conversation-not-found', 'conversation-closed', 'too-large', 'too-many-open-uploads'],
  }),
  finalizeAttachment: operation({
    method: 'POST',
    path: '/api/v1/chat/attachments/finalize',
    summary: 'Check an uploaded file, so that it can be sent',
    description:
      'Again it answers the same. A file that is not in a message a day after its ticket is removed. A picture (JPEG, PNG, WebP) gets a preview without its metadata.',
    chapter,
    access,
    body: Type.Object({ attachmentId: AttachmentId }),
    replies: { 200: Attachment },
    errors: ['attachment-not-found', 'upload-not-found', 'file-type-differs', 'file-refused'],
  }),
  getAttachment: operation({
    method: 'POST',
    path: '/api/v1/chat/attachments/get',
    summary: 'Get an address of a file, or of its preview, that is good for five minutes',
    description:
      'For whoever may read its message now. A file comes as one to keep (`Content-Disposition: attachment`), and nothing in it is run; a preview is a WebP to be shown.',
    chapter,
    access,
    body: Type.Object({
      attachmentId: AttachmentId,
      preview: Type.Optional(Type.Boolean({ description: 'Of a picture: a small one' })),
    }),
    replies: { 200: Type.Object({ url: Type.String() }) },
    errors: ['attachment-not-found'],
  }),
} as const
