import Type from 'typebox'
import { operation } from './operation.ts'

const chapter = 'Realtime'

export const realtimeOperations = {
  mintConnectionToken: operation({
    method: 'POST',
    path: '/websocket/token',
    summary: 'Get a token to connect to the realtime broker with',
    description:
      'Bound to the active organization: after a switch, connect anew. The connection is subscribed to `user:<org>:<uid>` and `org:<org>` by itself; subscribe to `status:<org>:<uid>` of colleagues.',
    chapter,
    access: { kind: 'organization' },
    replies: {
      200: Type.Object(
        {
          token: Type.String({ description: 'JWT (HS256), about 10 minutes' }),
          expiresAt: Type.Integer({ description: 'Unix seconds' }),
          url: Type.String({ description: 'WebSocket URL to connect to' }),
        },
        { title: 'RealtimeConnectionToken' },
      ),
    },
  }),
} as const
