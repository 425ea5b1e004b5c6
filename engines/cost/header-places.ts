import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CHAT_DATA_PATH } from '@atrium/contract'
import type { Place } from './place.ts'
import type { Scene } from './scene.ts'
import { asHeader, send } from './send.ts'
import { HEADER_TEXTS, LIST, MARKS } from './texts.ts'

const SOURCES = fileURLToPath(new URL('../../server/src', import.meta.url))
/** `headers.cookie`, `headers['if-match']`, `{ cookie } = headers`, and the names that stand in constants. */
const READ = [
  /headers(?:\.|\[')([a-z][a-z-]*)/g,
  /'((?:x-|if-|accept-|content-|sec-)[a-z-]+|idempotency-key)'/g,
]
/** What no client can set to any text: Node and the connection go by them. */
const NOT_TEXTS = new Set([
  ...[
    'get',
    'has',
    'set',
    'push',
    'ts',
    'content-length',
    'host',
    'connection',
    'transfer-encoding',
    'upgrade',
  ],
  // of replies
  ...[
    'location',
    'accept-ranges',
    'content-range',
    'content-disposition',
    'x-robots-tag',
    'x-content-type-options',
  ],
])
/** Node takes 16 kB of head. */
const HEADER_BYTES = 12 * 1_024

/** Every header that the sources of the office read by name: a new one is a new place. */
function headersRead(folder = SOURCES): Set<string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const texts = files
    .filter((file) => /(?<!\.test)\.ts$/.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
  const names = texts.flatMap((text) =>
    READ.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = '']) => name)),
  )
  return new Set(
    [...names, 'cookie', 'authorization', 'user-agent', 'range', 'prefer'].filter(
      (name) => !NOT_TEXTS.has(name),
    ),
  )
}

export function headerPlaces(scene: Scene): Place[] {
  const routes = [
    { method: 'POST', path: '/user/get', own: () => scene.signedIn() },
    { method: 'GET', path: `${CHAT_DATA_PATH}/messages`, own: () => bearer(scene.chat.token) },
    { method: 'GET', path: `${scene.scim.path}/Users`, own: () => bearer(scene.scim.token) },
  ]
  return [...headersRead()].sort().flatMap((name) =>
    routes.map(({ method, path, own }, place) => ({
      group: 'headers',
      name: `${name} of ${path}`,
      // most are read for every route alike
      worst: place === 0 ? HEADER_TEXTS : HEADER_TEXTS.filter((one) => [MARKS, LIST].includes(one)),
      bytesMax: HEADER_BYTES,
      prepare: (made: string) =>
        send(scene.url, { method, path, headers: { ...own(), [name]: headerValue(own()[name], made) } }),
    })),
  )
}

/** Behind what the header needs to be: a session, a token. */
function headerValue(own: string | undefined, made: string): string {
  const text = asHeader(made)
  if (own === undefined) return text
  return own.startsWith('Bearer') ? `Bearer ${text}` : `${own}; ${text}`
}

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` }
}
