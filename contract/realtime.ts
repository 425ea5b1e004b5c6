import Type from 'typebox'
import { operation } from './operation.ts'

const chapter = 'Realtime'

export const realtimeOperations = {
  mintConnectionToken: operation({
    method: 'POST',
    path: '/websocket/token',
    summary: 'Get a token to connect to the realtime broker with',
    description:
      'Bound to the active organization: after a switch, connect again. The connection is subscribed to `user:<org>:<uid>` and `org:<org>` by itself; subscribe to `status:<org>:<uid>` of colleagues. The token and its connections end with the session and the membership. The code of a close says whether to come back: 4501 (organization left), 4502 (session ended), 3504 (too many connections of this person) and every other from 3500 to 3999 and from 4500 are final; 3014 (session replaced) and connect error 109 ask for another token first, as the official client does by itself; with the others come back.',
    chapter,
    access: { kind: 'organization', bots: true },
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
