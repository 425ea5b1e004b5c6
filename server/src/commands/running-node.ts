import type { Config } from '../configuration/config.ts'
import { NODE_REPORT_PATH, type NodeReport } from '../features/metrics/node-report.ts'

const ANSWER_WITHIN_MS = 5_000

/** Where a node that listens by these settings is asked from this machine. */
export function addressOf(host: string, port: number): string {
  const address = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`
}

/** No node of this release answers there. */
export class NodeSilent extends Error {}

/**
 * What the node that runs on this machine by the same settings tells of itself.
 * @throws NodeSilent, or Error where it refuses, in words
 */
export async function askRunningNode({
  host,
  port,
  metrics,
}: Pick<Config, 'host' | 'port' | 'metrics'>): Promise<NodeReport> {
  const url = addressOf(host, metrics.port ?? port)
  const headers = metrics.token ? { authorization: `Bearer ${metrics.token.reveal()}` } : undefined
  let answer: Response
  try {
    answer = await fetch(`${url}${NODE_REPORT_PATH}`, {
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      ...(headers && { headers }),
    })
  } catch (cause) {
    throw new NodeSilent(`No node answers at ${url}. Run this where it runs, with its settings`, { cause })
  }
  if (answer.status === 401)
    throw new Error(
      `The node at ${url} wants another METRICS_TOKEN, or one at all: it does not listen on a loopback HOST`,
    )
  if (!answer.ok) throw new NodeSilent(`What answers at ${url} is no node of this release (${answer.status})`)
  return (await answer.json()) as NodeReport
}
