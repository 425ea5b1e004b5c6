import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { type AtriumClient, createAtriumClient, createCookieJar } from '@atrium/client'
import { organizationChannel, parseRealtimeEvent, statusChannel } from '@atrium/contract/events'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import { Centrifuge } from 'centrifuge'
import { run } from '../commands.ts'
import type { Check } from '../engine.ts'
import { type Ends, start, untilAnswers } from '../processes.ts'
import { eventually } from '../waiting.ts'
import { SECRETS } from './conformance.ts'
import { type CentrifugoNode, startCentrifugo } from './node.ts'

const ENTRY = fileURLToPath(new URL('../../server/bin/atrium.js', import.meta.url))
const WITHIN_MS = 10_000

/** An office, and the Centrifugo that reads its outbox. */
export interface CentrifugoOffice {
  url: string
  databaseUrl: string
  /** Its environment. */
  settings: Record<string, string | undefined>
  /** One, or with Redis two that are one broker; clients may go to either. */
  nodes: readonly [CentrifugoNode, CentrifugoNode]
  /** Brings the only node back after it was killed. */
  restartNode(): Promise<CentrifugoNode>
}

export interface OfficeOnCentrifugo {
  folder: string
  /** Two nodes then, and people at both. */
  redisUrl?: string
  /** See `startCentrifugo`. */
  statusHistory?: number
}

/** Opens an office beside the engine: it signs tokens and answers the proxy, Centrifugo reads its outbox. */
export async function openOfficeOnCentrifugo(
  { folder, redisUrl, statusHistory }: OfficeOnCentrifugo,
  ends: Ends,
): Promise<CentrifugoOffice> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  // the database has to be there before Centrifugo, and Centrifugo's address before the office
  const [apiPort, publicPort] = [await freePort(), await freePort()]
  const settings = officeSettings({ port, dataDir: `${folder}/office`, apiPort, publicPort })
  start(process.execPath, ['--no-warnings', ENTRY, 'serve'], settings, ends)
  await untilAnswers(`${url}/health/live`)
  const databaseUrl = (
    await run(process.execPath, ['--no-warnings', ENTRY, 'database-url'], { env: settings as never })
  ).trim()
  const node = {
    folder,
    proxyUrl: `${url}/internal/broker/subscribe`,
    secrets: SECRETS,
    databaseUrl,
    ...(redisUrl && { redisUrl }),
    ...(statusHistory && { statusHistory }),
  }
  const ports = { port: publicPort, internalPort: apiPort }
  const restartNode = () => startCentrifugo({ ...node, ports }, ends)
  const first = await restartNode()
  const second = redisUrl ? await startCentrifugo(node, ends) : first
  return { url, databaseUrl, settings, nodes: [first, second], restartNode }
}

/** The environment of an office that has its Centrifugo at these ports. */
export function officeSettings(of: {
  port: number
  dataDir: string
  apiPort: number
  publicPort: number
}): Record<string, string | undefined> {
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    ATRIUM_ENV: 'test',
    PORT: String(of.port),
    DATA_DIR: of.dataDir,
    BROKER: 'centrifugo',
    BROKER_TOKEN_SECRET: SECRETS.token,
    BROKER_PROXY_SECRET: SECRETS.proxy,
    CENTRIFUGO_API_KEY: SECRETS.api,
    CENTRIFUGO_API_URL: `http://127.0.0.1:${of.apiPort}`,
    BROKER_PUBLIC_URL: `ws://127.0.0.1:${of.publicPort}/connection/websocket`,
    // a busy machine is not what is tried
    DATABASE_WAIT_MS: '30000',
    // one address and few people make all the requests
    RATE_LIMIT_SIGN_IN_PER_ADDRESS: '0',
    RATE_LIMIT_PER_USER: '0',
  }
}

export async function tryOffice(office: CentrifugoOffice, check: Check): Promise<void> {
  await check('an office: a status change reaches a colleague at once, through the outbox', () =>
    colleaguesSeeEachOther(office.url, ...office.nodes),
  )
  await tryDoctor({ ...office.settings, DATABASE_URL: office.databaseUrl }, check)
}

/** What Centrifugo's own check of its configuration lets pass. */
async function tryDoctor(office: Record<string, string | undefined>, check: Check): Promise<void> {
  const doctor = (changed: object) =>
    run(process.execPath, ['--no-warnings', ENTRY, 'doctor'], { env: { ...office, ...changed } as never })
  await check('the doctor finds the whole chain in order', async () => {
    assert.match(await doctor({}), /✓ broker: .* serves clients as configured/)
  })
  const wrong = { CENTRIFUGO_API_KEY: 'another key', BROKER_TOKEN_SECRET: 'another secret' }
  for (const [setting, value] of Object.entries(wrong))
    await check(`the doctor names a wrong ${setting}`, () =>
      assert.rejects(doctor({ [setting]: value }), new RegExp(`✗ broker.*${setting}`)),
    )
}

async function colleaguesSeeEachOther(
  url: string,
  first: CentrifugoNode,
  second: CentrifugoNode,
): Promise<void> {
  const response = await signIn(url)
  const { client, user, organization } = response
  const [mine, theirs] = [connect(client, first), connect(client, second)]
  try {
    const events: unknown[] = []
    const subscription = theirs.newSubscription(statusChannel(organization, user))
    subscription.on('publication', ({ data }) => void events.push(parseRealtimeEvent(data)?.data))
    subscription.subscribe()
    mine.connect()
    theirs.connect()
    await Promise.all([mine.ready(WITHIN_MS), subscription.ready(WITHIN_MS)])
    const foreign = theirs.newSubscription(statusChannel('org_another', user))
    const refused = new Promise((resolve) =>
      foreign.once('unsubscribed', ({ code, reason }) => resolve([code, reason])),
    )
    foreign.subscribe()
    assert.deepEqual(await refused, [403, 'permission denied'])
    const own = theirs.newSubscription(organizationChannel(organization))
    const known = new Promise((resolve) => own.once('unsubscribed', ({ code }) => resolve(code)))
    own.subscribe()
    assert.equal(await known, 105)

    for (const status of ['busy', 'away', 'online'] as const)
      await client.call('setPresenceStatus', { status })
    await eventually('three events', () => events.length >= 3, { withinMs: WITHIN_MS })
    assert.deepEqual(
      events.slice(-3),
      ['busy', 'away', 'online'].map((status) => ({ userId: user, status })),
    )
  } finally {
    mine.disconnect()
    theirs.disconnect()
  }
}

async function signIn(url: string): Promise<{ client: AtriumClient; user: string; organization: string }> {
  const client = createAtriumClient({ baseUrl: url, cookies: createCookieJar() })
  await client.call('devSignIn', {})
  const { token } = await client.call('mintConnectionToken')
  const { sub, meta } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
    sub: string
    meta: { org: string }
  }
  return { client, user: sub, organization: meta.org }
}

function connect(client: AtriumClient, node: CentrifugoNode): Centrifuge {
  return new Centrifuge(node.url, { getToken: async () => (await client.call('mintConnectionToken')).token })
}
