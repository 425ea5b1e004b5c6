import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CookieJar, createAtriumClient, createCookieJar } from '@atrium/client'
import { CHAT_DATA_PATH } from '@atrium/contract'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import { startTemporaryCluster } from '@atrium/embedded-postgres/temporary-cluster.ts'
import pg from 'pg'
import { openOwnServer } from '../own-server.ts'
import { type Ends, start, untilAnswers } from '../processes.ts'
import type { Measure } from './judge.ts'
import type { Answered, Shot } from './place.ts'
import { ranMs, untilQuiet } from './processor.ts'

const ENTRY = fileURLToPath(new URL('../../server/bin/atrium.js', import.meta.url))
/** Of the organization of `devSignIn`, which has proven it. */
const DOMAIN = 'sso.example'
const MEDIA = { key: 'cost-of-requests', secret: 'a-secret-of-the-media-server-0123456789' }
const PROXY_SECRET = 'a-secret-of-the-broker-0123456789-abcdef'
const TOKEN_SECRET = 'the-secret-of-realtime-tokens-of-the-proof-of-cost'
/**
 * Megabytes of young objects that V8 gathers before it collects them. By default a request of half the size is over before
 * the first collection, and a whole one pays for copying what the parser still holds: a step, measured as growth.
 */
const ROOM_FOR_GARBAGE = ['--min-semi-space-size=128', '--max-semi-space-size=128']
/** What is measured is one request: no budget gets in its way. */
const NO_LIMITS = [
  ...['RATE_LIMIT_CODES_PER_EMAIL', 'RATE_LIMIT_CODES_PER_EMAIL_HOUR', 'RATE_LIMIT_SIGN_IN_PER_ADDRESS'],
  ...[
    'RATE_LIMIT_GUESSES_PER_ADDRESS',
    'RATE_LIMIT_GUESSES_PER_EMAIL_HOUR',
    'RATE_LIMIT_GUESSES_PER_EMAIL_DAY',
  ],
  ...['RATE_LIMIT_KNOCKS_PER_USER', 'RATE_LIMIT_GUEST_PER_ADDRESS', 'RATE_LIMIT_PER_USER'],
  ...[
    'RATE_LIMIT_PER_DIRECTORY',
    'RATE_LIMIT_INVITATIONS_PER_USER',
    'RATE_LIMIT_INVITATIONS_PER_ORGANIZATION',
  ],
  ...[
    'RATE_LIMIT_INVITATIONS_PER_EMAIL',
    'RATE_LIMIT_SIGN_ON_TRIALS_PER_ORGANIZATION',
    'CONNECTIONS_PER_USER',
  ],
  ...[
    'RATE_LIMIT_UPLOAD_BYTES_PER_USER',
    'RATE_LIMIT_MESSAGES_PER_USER',
    'RATE_LIMIT_MESSAGES_PER_CONVERSATION',
  ],
  ...['RATE_LIMIT_GROUPS_PER_USER', 'RATE_LIMIT_REACTIONS_PER_USER'],
  ...['RATE_LIMIT_EXPORTS_PER_USER', 'RATE_LIMIT_EXPORTS_PER_ORGANIZATION'],
]

export type Part = 'office' | 'database'

/** An office as a process of its own, and an administrator in it. */
export interface Scene {
  url: string
  /** Headers of the person, who is an administrator. */
  signedIn(): Record<string, string>
  signInAgain(): Promise<void>
  /** A guest who was let into a room: headers, and the link that they came by. */
  guest: { headers: Record<string, string>; inviteId: string }
  scim: { path: string; token: string; userId: string; groupId: string }
  chat: { token: string; conversationId: string; peerId: string }
  /** Of another person each time: the broker reads the frames of one person at a pace. */
  realtimeToken(): string
  media: typeof MEDIA
  proxySecret: string
  database: pg.Client
  /** Processor time of one request: of the office's own thread, and of all backends of its database. */
  cost(shot: Shot): Promise<{ answered: Answered; ms: Record<Part, number> }>
}

/** Measures what a place takes. @param onStatus told what each request was answered with */
export function measureOf(
  scene: Scene,
  prepare: (bytes: number) => Promise<Shot> | Shot,
  onStatus: (status: number) => void,
): Measure<Part> {
  return async (bytes) => {
    let { answered, ms } = await scene.cost(await prepare(bytes))
    if (answered.status === 401) {
      await scene.signInAgain()
      ;({ answered, ms } = await scene.cost(await prepare(bytes)))
    }
    onStatus(answered.status)
    return ms
  }
}

export async function openScene(ends: Ends): Promise<Scene> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-cost-'))
  ends.push(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 }))
  await chmod(folder, 0o755)
  const cluster = await startTemporaryCluster()
  ends.push(cluster.stop)
  const port = await freePort()
  const url = `http://localhost:${port}`
  const settings = {
    ...Object.fromEntries(NO_LIMITS.map((name) => [name, '0'])),
    ATRIUM_ENV: 'development',
    PORT: String(port),
    DATA_DIR: folder,
    DATABASE_URL: cluster.connectionString,
    DATABASE_WAIT_MS: '30000',
    LOG_LEVEL: 'error',
    LIVEKIT_URL: await emptyMedia(ends),
    LIVEKIT_API_KEY: MEDIA.key,
    LIVEKIT_API_SECRET: MEDIA.secret,
    MEDIA_SWEEP_SECONDS: '0',
    BROKER_PROXY_SECRET: PROXY_SECRET,
    BROKER_TOKEN_SECRET: TOKEN_SECRET,
  }
  const office = start(
    process.execPath,
    ['--no-warnings', ...ROOM_FOR_GARBAGE, ENTRY, 'serve'],
    { ...process.env, ...settings },
    ends,
  )
  await untilAnswers(`${url}/health/ready`)
  const database = new pg.Client(cluster.connectionString)
  await database.connect()
  ends.push(() => database.end())
  assert.ok(office.pid)
  return await furnish(url, office.pid, database)
}

/** A token as the office makes them, for another person. */
function tokenLike(token: string): string {
  const [head = '', claims = ''] = token.split('.')
  const others = { ...JSON.parse(Buffer.from(claims, 'base64url').toString()), sub: randomUUID() }
  const signed = `${head}.${Buffer.from(JSON.stringify(others)).toString('base64url')}`
  return `${signed}.${createHmac('sha256', TOKEN_SECRET).update(signed).digest('base64url')}`
}

async function furnish(url: string, pid: number, database: pg.Client): Promise<Scene> {
  let cookie = await signIn(url)
  const json = { 'content-type': 'application/json' }
  const call = async (path: string, body: unknown, headers: Record<string, string> = { cookie }) => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { ...json, ...headers },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    assert.ok(answer.ok, `${path}: ${answer.status} ${text}`)
    return JSON.parse(text)
  }
  const directory = await call('/api/v1/organizations/directory/connections/create', { name: 'Cost' })
  const bearer = { authorization: `Bearer ${directory.token}`, 'content-type': 'application/scim+json' }
  const scimPath = new URL(directory.url).pathname
  const email = `peer@${DOMAIN}`
  const user = await call(
    `${scimPath}/Users`,
    { userName: email, displayName: 'Peer', emails: [{ value: email }] },
    bearer,
  )
  const group = await call(`${scimPath}/Groups`, { displayName: 'Group' }, bearer)
  const { rows } = await database.query<{ id: string }>('select id::text from users where email = $1', [
    email,
  ])
  const peerId = rows[0]?.id
  assert.ok(peerId)
  const { token: chatToken } = await call('/api/v1/realtime/token', {})
  const opened = await call(
    `${CHAT_DATA_PATH}/rpc/open_dm`,
    { p_peer_user_id: Number(peerId) },
    { authorization: `Bearer ${chatToken}` },
  )
  const { token: realtimeToken } = await call('/websocket/token', {})
  const backends = async () => {
    const found = await database.query<{ pid: number }>(
      "select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
    )
    return found.rows.map((row) => row.pid)
  }
  return {
    url,
    signedIn: () => ({ cookie }),
    async signInAgain() {
      cookie = await signIn(url)
    },
    guest: await letGuestIn(url),
    scim: { path: scimPath, token: directory.token, userId: user.id, groupId: group.id },
    chat: { token: chatToken, conversationId: String(opened[0]?.conversation_id), peerId },
    realtimeToken: () => tokenLike(realtimeToken),
    media: MEDIA,
    proxySecret: PROXY_SECRET,
    database,
    async cost(shot) {
      const known = await backends()
      await untilQuiet([pid, ...known])
      const before = new Map([pid, ...known].map((one) => [one, ranMs(one)]))
      const answered = await shot()
      await untilQuiet([pid, ...known])
      const spent = (one: number) => ranMs(one) - (before.get(one) ?? 0)
      const office = spent(pid)
      // one that was made for this request counts from its beginning
      const database = [...new Set([...known, ...(await backends())])].reduce(
        (sum, one) => sum + Math.max(spent(one), 0),
        0,
      )
      return { answered, ms: { office, database } }
    },
  }
}

/** A media server in which there is never anybody. @returns its address */
async function emptyMedia(ends: Ends): Promise<string> {
  const port = await openOwnServer(ends, (_, response) =>
    response.setHeader('content-type', 'application/json').end('{}'),
  )
  return `http://127.0.0.1:${port}`
}

/** Makes an administrator's link to a room, and a guest who knocks there by it and is let in. */
async function letGuestIn(url: string): Promise<Scene['guest']> {
  const cookies = createCookieJar()
  const browser = (jar: CookieJar) => createAtriumClient({ baseUrl: url, cookies: jar })
  const host = browser(createCookieJar())
  const guest = browser(cookies)
  await host.call('devSignIn', {})
  const [organization] = await host.call('listOrganizations')
  const { room } = await host.call('createRoom', { name: 'Cost' })
  const link = { orgId: String(organization?.organizationId), roomId: room.id, durationSeconds: 3_600 }
  const { inviteUrl } = await host.call('inviteGuest', link)
  const inviteToken = String(new URL(inviteUrl).searchParams.get('invite_token'))
  const { guestIdentity = '', inviteId = '' } = await guest.call('authorizeGuest', {
    inviteToken,
    guestName: 'Guest',
  })
  await host.call('admitGuest', { roomId: room.id, guestIdentity, action: 'admit' })
  return { headers: { cookie: String(cookies.headerFor(new URL(url))) }, inviteId }
}

async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/auth/dev-sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  assert.equal(answer.status, 200)
  return answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
}
