import type { Employee } from './noisy-tenants.ts'
import type { Asked } from './paced-load.ts'

/** What one member does to all chapters in turn: of each the most expensive things that it offers. */

export interface NoiseContext {
  base: string
  organizationId: string
  conversation: string
  roomId: string
  /** A hundred ids. */
  colleagues: readonly string[]
}

export interface Noise {
  chapter: string
  /** @param chatToken of the one who makes it */
  requests(context: NoiseContext, noisy: Employee, chatToken: string): Asked[]
}

const call =
  (path: string, body: object) =>
  ({ base, cookie }: { base: string; cookie: string }): Asked => ({
    url: `${base}${path}`,
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const read =
  (path: string) =>
  (base: string, token: string): Asked => ({
    url: `${base}/rest/v1/${path}`,
    method: 'GET',
    headers: { authorization: `Bearer ${token}` },
  })

const calls = (
  chapter: string,
  list: (context: NoiseContext, noisy: Employee) => ReturnType<typeof call>[],
): Noise => ({
  chapter,
  requests: (context, noisy) =>
    list(context, noisy).map((one) => one({ base: context.base, cookie: noisy.cookie })),
})

export const NOISES: readonly Noise[] = [
  {
    chapter: 'chat rows',
    // twenty times a column is refused; this is what is left: all of the longest rows, sorted by what has no index
    requests: ({ base }, _noisy, token) => [
      read('messages?limit=1000&order=content')(base, token),
      read('messages?limit=400&select=content')(base, token),
    ],
  },
  {
    chapter: 'chat counts',
    requests: ({ base }, _noisy, token) => [
      {
        ...read('messages?limit=1&content=neq.x')(base, token),
        headers: { authorization: `Bearer ${token}`, prefer: 'count=exact' },
      },
      read('rpc/get_recent_dms?p_limit=1000')(base, token),
    ],
  },
  {
    chapter: 'chat pages',
    requests: ({ base, conversation }, _noisy, token) => [
      read(`rpc/get_conversation_messages?p_limit=100&p_conversation_id=${conversation}`)(base, token),
    ],
  },
  calls('members', () => [
    call('/members/list', { query: 'e', limit: 100 }),
    call('/members/list', { query: 'zzzz', limit: 100 }),
  ]),
  calls('presence', ({ colleagues }) => [
    call('/presence/snapshot', { userIds: colleagues }),
    call('/presence/status', { status: 'busy' }),
    call('/presence/status', { status: 'away' }),
  ]),
  calls('organizations', () => [
    call('/api/v1/organizations/audit-log/list', { limit: 100 }),
    call('/api/v1/organizations/list-invitation', { limit: 100 }),
    call('/api/v1/organizations/list', {}),
    call('/api/v1/organizations/create', { name: 'One more {n}' }),
  ]),
  calls('rooms', ({ roomId, organizationId }) => [
    call('/api/v1/rtc/room-create', { name: 'Room {n}', metadata: { text: 'x'.repeat(16_000) } }),
    call('/api/v1/rtc/room-auth', { username: 'Noisy', roomId }),
    call('/api/v1/rtc/guest/invite', { orgId: organizationId, roomId, durationSeconds: 3_600 }),
    call('/api/v1/rtc/recordings/list', {}),
  ]),
  calls('profile', () => [
    call('/user/update', { displayName: 'Noisy {n}' }),
    call('/user/get', {}),
    call('/user/avatar/upload-ticket', { contentType: 'image/png' }),
  ]),
  calls('realtime', () => [call('/websocket/token', {}), call('/api/v1/realtime/token', {})]),
  // of the holder of the network's address: these calls know no session
  calls('sign-in codes', () => [
    call('/auth/sign-in', { email: 'nobody-{n}@example.com' }),
    call('/auth/finalize-magic-auth', { email: 'nobody-{n}@example.com', code: '000000' }),
  ]),
  // last: what it leaves to be mailed goes on
  calls('invitations', () => [
    call('/api/v1/organizations/send-invitation', {
      emails: Array.from({ length: 100 }, (_, n) => `invited-{n}-${n}@example.com`),
    }),
  ]),
]
