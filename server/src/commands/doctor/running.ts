import type { Config } from '../../configuration/config.ts'
import { askRunningNode, NodeSilent } from '../running-node.ts'
import { listed } from './listed.ts'
import type { Finding } from './realtime.ts'

/** What the node that runs on this machine has seen since it began; nothing where none does. */
export async function lookAtRunningNode(
  config: Pick<Config, 'host' | 'port' | 'metrics'>,
): Promise<Finding[]> {
  let seen: Awaited<ReturnType<typeof askRunningNode>>
  try {
    seen = await askRunningNode(config)
  } catch (error) {
    if (error instanceof NodeSilent) return []
    const says = `the one that runs was not asked what it has seen: ${(error as Error).message}.`
    return [{ part: 'office', ok: true, warns: true, says }]
  }
  const { untrustedProxies, unreached } = seen
  const findings: Finding[] = []
  if (untrustedProxies.length > 0) {
    const says = `${untrustedProxies.join(', ')} speaks for others and is not believed: everybody behind it counts as one visitor, with one budget of sign-ins. Where it is a proxy of yours, name it in TRUST_PROXY.`
    findings.push({ part: 'proxy', ok: true, warns: true, says })
  }
  if (unreached.length > 0) {
    const hosts = unreached.map(({ host, code, times }) => `${host} (${code}, ${times} times)`)
    const says = `the node that runs could not connect to ${listed(hosts)}. Check these names, and what this machine may reach.`
    findings.push({ part: 'outside', ok: true, warns: true, says })
  }
  return findings
}
