import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import { SECRETS } from '../centrifugo/conformance.ts'
import { startCentrifugo } from '../centrifugo/node.ts'
import { officeSettings } from '../centrifugo/office.ts'
import { installCentrifugo } from '../centrifugo/program.ts'
import { run } from '../commands.ts'
import { installPackage } from '../debian-packages.ts'
import type { Check, Engine } from '../engine.ts'
import { ENTRY, ownedDatabase } from '../postgres/node.ts'
import { type Ends, start, untilAnswers } from '../processes.ts'
import { eventually } from '../waiting.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { type Sent, startWriting, type Writers } from './writers.ts'

const PACKAGES = ['postgresql-15', 'patroni', 'python3-etcd', 'python3-psycopg2', 'etcd-server', 'haproxy']
/** Each takes the lease of the primary and the way back of the one that was killed: about a minute. */
const KILLS = Number(process.env.ATRIUM_FAILOVERS ?? 3)
/** Each meets what is under way at that moment. */
const SWITCH_OVERS = 3
/** As docs/operations/failover.md says: longer than a planned switch-over has no primary. */
const WAIT_MS = 5_000
/** A request is answered within that, whatever the database does. */
const ANSWER_WITHIN_MS = 2 * WAIT_MS
const CALM_MS = 3_000

/** What docs/operations/failover.md draws, on one machine: two nodes of the office on two PostgreSQL that fail over. */
export const patroni: Engine = {
  name: 'patroni',
  about: `two nodes on PostgreSQL 15 under Patroni, etcd and HAProxy (Debian): ${KILLS} primaries are killed (ATRIUM_FAILOVERS)`,
  async install() {
    for (const name of PACKAGES) {
      const isThere = await run('dpkg', ['-s', name]).then(
        () => true,
        () => false,
      )
      const reason = isThere ? undefined : await installPackage(name)
      if (reason) return reason
    }
    return await installCentrifugo()
  },
  async try(check) {
    const folder = await mkdtemp(join(tmpdir(), 'atrium-patroni-'))
    const ends: Ends = [() => rm(folder, { recursive: true, force: true })]
    try {
      // PostgreSQL runs as another user, who must be able to get there
      await chmod(folder, 0o755)
      await tryFailover(folder, check, ends)
    } finally {
      for (const ending of ends.reverse()) await ending()
    }
  },
}

async function tryFailover(folder: string, check: Check, ends: Ends): Promise<void> {
  const cluster = await startCluster(folder, ends)
  const databaseUrl = await ownedDatabase(cluster.adminUrl, '15')
  const nodes = await openNodes(databaseUrl, folder, ends)
  const writers = await startWriting([nodes[0].url, nodes[1].url], ends)
  for (let n = 1; n <= KILLS; n += 1)
    await check(
      `the primary is killed under load (${n} of ${KILLS}): refusals only while there is none`,
      () => killOnce(cluster, writers),
    )
  for (let n = 1; n <= SWITCH_OVERS; n += 1)
    await check(`a planned switch-over refuses nothing (${n} of ${SWITCH_OVERS})`, () =>
      switchOnce(cluster, writers),
    )
  await check('every acknowledged message is there, once, and no node has ended', async () => {
    await writers.stop()
    const acknowledged = writers.sent.flatMap(({ messageId }) => messageId ?? [])
    const read = await writers.readAll()
    assert.equal(new Set(read).size, read.length)
    const there = new Set(read)
    const lost = acknowledged.filter((id) => !there.has(id))
    console.log(`    ${acknowledged.length} acknowledged, ${read.length} there, ${lost.length} lost`)
    assert.deepEqual(lost, [])
    for (const { process: node } of nodes) assert.deepEqual([node.exitCode, node.signalCode], [null, null])
  })
}

async function killOnce(cluster: Cluster, writers: Writers): Promise<void> {
  await cluster.untilWhole()
  await pause(CALM_MS)
  const before = writers.sent.length
  const killedAt = performance.now()
  const bringBack = await cluster.killPrimary()
  // both write again
  const isOver = () => {
    const last = writers.sent.slice(before).filter(({ at }) => at > killedAt)
    const since = last.findLastIndex(isRefused)
    return since >= 0 && last.length - since > 8
  }
  await eventually('people write again', isOver, { withinMs: 120_000, everyMs: 200 })
  bringBack()
  await cluster.untilWhole()
  const after = writers.sent.slice(before)
  const refused = after.filter(isRefused)
  const lastRefused = Math.max(...refused.map(({ at }) => at))
  const firstDone = Math.min(
    ...after.filter((one) => !isRefused(one) && one.at > lastRefused).map(({ answeredAt }) => answeredAt),
  )
  const slowest = Math.max(...refused.map(({ at, answeredAt }) => answeredAt - at))
  console.log(
    `    ${refused.length} refused, the slowest after ${inSeconds(slowest)} s; written again after ${inSeconds(firstDone - killedAt)} s`,
  )
  assert.deepEqual([...new Set(refused.map(({ status }) => status))], [503])
  assert.ok(slowest < ANSWER_WITHIN_MS, `a refusal took ${slowest} ms`)
}

async function switchOnce(cluster: Cluster, writers: Writers): Promise<void> {
  await cluster.untilWhole()
  const from = writers.sent.length
  await cluster.switchOver()
  await cluster.untilWhole()
  await pause(CALM_MS)
  const after = writers.sent.slice(from)
  const refused = after.filter(isRefused)
  const slowest = Math.max(...after.map(({ at, answeredAt }) => answeredAt - at))
  console.log(`    ${refused.length} of ${after.length} refused; the slowest took ${inSeconds(slowest)} s`)
  assert.deepEqual(refused, [])
}

const inSeconds = (ms: number) => (ms / 1_000).toFixed(1)
const isRefused = ({ messageId }: Sent) => messageId === undefined

interface OfficeNode {
  url: string
  process: ChildProcess
}

/** Two nodes of one office, and the Centrifugo that reads its outbox. */
async function openNodes(
  databaseUrl: string,
  folder: string,
  ends: Ends,
): Promise<readonly [OfficeNode, OfficeNode]> {
  const [internalPort, port] = [await freePort(), await freePort()]
  const open = async (): Promise<OfficeNode> => {
    const own = await freePort()
    const settings = {
      ...officeSettings({ port: own, dataDir: folder, apiPort: internalPort, publicPort: port }),
      DATABASE_URL: databaseUrl,
      DATABASE_WAIT_MS: String(WAIT_MS),
      ...{ RATE_LIMIT_MESSAGES_PER_USER: '0', RATE_LIMIT_MESSAGES_PER_CONVERSATION: '0' },
    }
    const url = `http://localhost:${own}`
    return { url, process: start(process.execPath, ['--no-warnings', ENTRY, 'serve'], settings, ends) }
  }
  const one = await open()
  await untilAnswers(`${one.url}/health/live`)
  const other = await open()
  const proxyUrl = `${one.url}/internal/broker/subscribe`
  await startCentrifugo(
    { folder, proxyUrl, secrets: SECRETS, databaseUrl, ports: { port, internalPort } },
    ends,
  )
  for (const { url } of [one, other]) await untilAnswers(`${url}/health/ready`)
  return [one, other]
}
