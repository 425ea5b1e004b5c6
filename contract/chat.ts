import Type from 'typebox'
import { operation } from './operation.ts'

const chapter = 'Chat'

export const chatOperations = {
  mintChatToken: operation({
    method: 'POST',
    path: '/api/v1/realtime/token',
    summary: 'Get a token for the chat data under /rest/v1',
    description:
      'For a PostgREST client: bearer token of `/rest/v1` (docs/chat.md). Bound to the active organization: after a switch, ask anew. Refresh it about 5 minutes before it expires.',
    chapter,
    access: { kind: 'organization' },
    replies: {
      200: Type.Object(
        {
          token: Type.String({
            description: 'JWT (HS256), 1 hour; aud and role `authenticated`, user_id, org_id',
          }),
        },
        { title: 'ChatToken' },
      ),
    },
  }),
} as const
