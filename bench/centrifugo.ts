import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import type { Ends } from './opening.ts'

/** Where `npm run test:engines centrifugo` keeps the one that it has built. */
const ENGINES =
  process.env.ATRIUM_ENGINES ||
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'atrium-engines')
const CENTRIFUGO = process.env.CENTRIFUGO_BIN || join(ENGINES, 'centrifugo-5.4.9/centrifugo')
const CONFIGURATION = new URL('../deploy/centrifugo/config-v5.json', import.meta.url)
const ANSWERS_WITHIN_MS = 30_000

/** Where a Centrifugo listens, and what it shares with an office. */
export interface CentrifugoPlace {
  port: number
  internalPort: number
  /** Of tokens, of the API and of the proxy at once. */
  secret: string
}

/** The office whose outbox it reads and whose proxy it asks. */
export interface CentrifugoOffice {
  databaseUrl: string
  proxyUrl: string
}

export interface CentrifugoProcess {
  pid: number
  /** WebSocket address. */
  url: string
  /** A token of a person who is subscribed to `org:bench`. */
  token: string
  /** A direct publish there. */
  publish(data: object): Promise<Response>
}

/** Why there is no Centrifugo to measure against; undefined where there is one. */
export function missingCentrifugo(): string | undefined {
  return existsSync(CENTRIFUGO)
    ? undefined
    : 'there is no Centrifugo here; `npm run test:engines centrifugo` builds it, or CENTRIFUGO_BIN names a v5'
}

export async function placeCentrifugo(secret: string): Promise<CentrifugoPlace> {
  return { port: await freePort(), internalPort: await freePort(), secret }
}

/** With the configuration that we deploy, but alone, and without an outbox where no office is given. */
export async function startCentrifugo(
  { port, internalPort, secret }: CentrifugoPlace,
  ends: Ends,
  office?: CentrifugoOffice,
): Promise<CentrifugoProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-bench-centrifugo-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  const {
    engine: _engine,
    redis_address: _address,
    ...config
  } = JSON.parse(await readFile(CONFIGURATION, 'utf8'))
  const changed = {
    address: '127.0.0.1',
    port: `${port}`,
    internal_address: '127.0.0.1',
    internal_port: `${internalPort}`,
    // one person has all the clients
    client_user_connection_limit: 0,
    ...(office ? { proxy_subscribe_endpoint: office.proxyUrl } : { consumers: [] }),
  }
  await writeFile(join(folder, 'config.json'), JSON.stringify({ ...config, ...changed }))
  const child = spawn(CENTRIFUGO, ['-c', join(folder, 'config.json'), '--log_level', 'error'], {
    stdio: 'ignore',
    env: {
      CENTRIFUGO_TOKEN_HMAC_SECRET_KEY: secret,
      CENTRIFUGO_API_KEY: secret,
      CENTRIFUGO_PROXY_STATIC_HTTP_HEADERS: JSON.stringify({ 'X-Broker-Proxy-Secret': secret }),
      ...(office && { CENTRIFUGO_CONSUMERS_POSTGRESQL_OUTBOX_DSN: office.databaseUrl }),
    },
  })
  ends.push(() => end(child))
  const deadline = Date.now() + ANSWERS_WITHIN_MS
  while (!(await fetch(`http://127.0.0.1:${internalPort}/health`).catch(() => undefined))?.ok)
    assert.ok(Date.now() < deadline && child.exitCode === null, 'Centrifugo answers')
  const claims = { sub: 'user_bench', channels: ['org:bench'], exp: Math.floor(Date.now() / 1_000) + 3_600 }
  return {
    pid: child.pid ?? 0,
    url: `ws://127.0.0.1:${port}/connection/websocket`,
    token: sign(claims, secret),
    publish: (data) =>
      fetch(`http://127.0.0.1:${internalPort}/api/publish`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': secret },
        body: JSON.stringify({ channel: 'org:bench', data }),
      }),
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

function sign(claims: object, secret: string): string {
  const text = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}
