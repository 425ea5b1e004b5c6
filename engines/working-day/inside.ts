import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import { startTemporaryCluster } from '@atrium/embedded-postgres/temporary-cluster.ts'
import { isBuilt } from '@atrium/web/built-folder.ts'
import { openBrowserWithMedia } from '../browser/chromium.ts'
import { SECRETS } from '../centrifugo/conformance.ts'
import { startCentrifugo } from '../centrifugo/node.ts'
import { type FreshOffice, openOperatedOffice } from '../fresh-office.ts'
import { LIVEKIT, livekitServer } from '../livekit/server.ts'
import { ADDRESS } from '../livekit-pages/livekit-pages.ts'
import { reportingCheck } from '../own-network.ts'
import { ownedDatabase } from '../postgres/node.ts'
import type { Ends } from '../processes.ts'
import { allowFrontEnd } from '../s3/another-origin.ts'
import { ACCESS_KEY, open, SECRET_KEY, VERSITYGW } from '../s3/stores.ts'
import { eventually } from '../waiting.ts'
import { tryWorkingDay } from '../web/working-day.ts'
import { DATABASE } from './database.ts'

/** Runs in the network of its own: the office, everything beside it, and the browsers. */

const CHECK_WITHIN_MS = 5 * 60_000
const BUCKET = 'atrium-office'
const PICTURES = fileURLToPath(new URL('../../.engines/working-day', import.meta.url))

const check = reportingCheck(CHECK_WITHIN_MS)
const ends: Ends = []
try {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-day-'))
  await chmod(folder, 0o755)
  ends.push(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 }))
  const office = await openOffice(folder)
  await eventually('the web office is built', isBuilt, { withinMs: 180_000, everyMs: 500 })
  await check('the office finds all of them', async () => {
    const health = await (await fetch(`${office.url}/health/ready`)).json()
    const { parts } = health as { parts: Record<string, string> }
    for (const part of ['database', 'broker', 'media', 'storage']) assert.equal(parts[part], 'ok', part)
    assert.match(await office.atrium('doctor'), /✓ broker: .* serves clients as configured/)
  })
  const browser = await openBrowserWithMedia(ends)
  await mkdir(PICTURES, { recursive: true })
  // a machine that records brings a browser and a video encoder of its own: none is here
  await tryWorkingDay({ ...office, browser, pictures: PICTURES }, check, { hasRecorder: false })
} finally {
  for (const end of ends.reverse()) await end()
}
process.exit(0)

async function openOffice(folder: string): Promise<FreshOffice> {
  const databaseUrl = await openDatabase()
  const storeUrl = await openStore(join(folder, 'store'))
  const ports = { port: await freePort(), internalPort: await freePort() }
  const settings = {
    RATE_LIMIT_SIGN_IN_PER_ADDRESS: '0',
    RATE_LIMIT_GUEST_PER_ADDRESS: '0',
    DATABASE_URL: databaseUrl,
    ...{ STORAGE: 's3', S3_ENDPOINT: storeUrl, S3_BUCKET: BUCKET },
    ...{ S3_ACCESS_KEY_ID: ACCESS_KEY, S3_SECRET_ACCESS_KEY: SECRET_KEY },
    BROKER: 'centrifugo',
    ...{ BROKER_TOKEN_SECRET: SECRETS.token, BROKER_PROXY_SECRET: SECRETS.proxy },
    CENTRIFUGO_API_KEY: SECRETS.api,
    CENTRIFUGO_API_URL: `http://127.0.0.1:${ports.internalPort}`,
    BROKER_PUBLIC_URL: `ws://127.0.0.1:${ports.port}/connection/websocket`,
    ...{ LIVEKIT_URL: LIVEKIT.url, LIVEKIT_PUBLIC_URL: LIVEKIT.publicUrl },
    ...{ LIVEKIT_API_KEY: LIVEKIT.apiKey, LIVEKIT_API_SECRET: LIVEKIT.apiSecret },
  }
  return await openOperatedOffice(settings, ends, async ({ url }) => {
    const proxyUrl = `${url}/internal/broker/subscribe`
    await startCentrifugo({ folder, proxyUrl, secrets: SECRETS, databaseUrl, ports, origins: [url] }, ends)
    const server = livekitServer(`${url}/webhook`, { address: ADDRESS, interfaces: 'rtc0' })
    await server.start()
    ends.push(() => server.stop())
    await allowFrontEnd(storeUrl, BUCKET, url)
  })
}

async function openDatabase(): Promise<string> {
  const cluster = await startTemporaryCluster(undefined, await DATABASE.packageRoot(ends))
  ends.push(cluster.stop)
  return await ownedDatabase(cluster.connectionString, DATABASE.major)
}

async function openStore(files: string): Promise<string> {
  const { url, end } = await open(VERSITYGW, files)
  ends.push(end)
  await mkdir(join(files, BUCKET))
  return url
}
