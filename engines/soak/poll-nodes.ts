import { fileURLToPath } from 'node:url'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import { startTemporaryCluster } from '@atrium/embedded-postgres/temporary-cluster.ts'
import { SECRETS } from '../centrifugo/conformance.ts'
import { type CentrifugoNode, startCentrifugo } from '../centrifugo/node.ts'
import { officeSettings } from '../centrifugo/office.ts'
import { type Ends, end, start, untilAnswers } from '../processes.ts'
import { eventually } from '../waiting.ts'

const ENTRY = fileURLToPath(new URL('../../server/bin/atrium.js', import.meta.url))
const NODES = 4
/** Several of its rounds. */
const POLLS_WITHIN_MS = 120_000

export interface PollNode {
  url: string
  /** kill -9. */
  kill(): Promise<void>
}

/** Four offices on one PostgreSQL, beside one Centrifugo. */
export async function pollNodes(folder: string, ends: Ends) {
  const { connectionString, stop } = await startTemporaryCluster()
  ends.push(stop)
  const ports = { port: await freePort(), internalPort: await freePort() }
  const nodes: PollNode[] = []
  for (let n = 0; n < NODES; n += 1) {
    const port = await freePort()
    const of = { port, dataDir: `${folder}/office-${n}`, apiPort: ports.internalPort, publicPort: ports.port }
    const settings = { ...officeSettings(of), DATABASE_URL: connectionString }
    const child = start(process.execPath, ['--no-warnings', ENTRY, 'serve'], settings, ends)
    const url = `http://localhost:${port}`
    await untilAnswers(`${url}/health/live`)
    nodes.push({ url, kill: () => end(child, 'SIGKILL') })
  }
  const proxyUrl = `${nodes[0]?.url}/internal/broker/subscribe`
  const place = { folder, proxyUrl, secrets: SECRETS, databaseUrl: connectionString, ports }
  const broker: CentrifugoNode = await startCentrifugo(place, ends)
  return { connectionString, nodes, broker }
}

/** What a node has done since its start: rounds of the poll, their seconds, and seconds of processor altogether. */
export async function readNode({ url }: PollNode) {
  const text = await (await fetch(`${url}/metrics`)).text()
  const sum = (series: RegExp) =>
    [...text.matchAll(series)].reduce((total, [, value]) => total + Number(value), 0)
  return {
    rounds: sum(/^job_runs_total{[^}]*job_name="presence-poll"[^}]*} ([\d.e+]+)$/gm),
    seconds: sum(/^job_seconds_total{[^}]*job_name="presence-poll"[^}]*} ([\d.e+-]+)$/gm),
    processor: sum(/^process_cpu_seconds_total(?:{[^}]*})? ([\d.e+-]+)$/gm),
  }
}

/** The node that is seen to poll. */
export async function leaderOf(nodes: readonly PollNode[]): Promise<PollNode> {
  const before = await Promise.all(nodes.map(readNode))
  const polling = async () => {
    const now = await Promise.all(nodes.map(readNode))
    return nodes.find((_, n) => (now[n]?.rounds ?? 0) > (before[n]?.rounds ?? 0))
  }
  return await eventually('a node polls', polling, { withinMs: POLLS_WITHIN_MS, everyMs: 200 })
}
