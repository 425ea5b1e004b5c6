import { HOUR_SECONDS } from '../../platform/clock.ts'
import { networkOf } from '../../platform/http/connections/network-address.ts'
import type { OrganizationId } from '../../platform/ids.ts'
import type { Limiter } from '../../platform/limits/rate-limit.ts'
import type { Visitor } from '../caller.ts'
import type { Draw } from './counted-limits.ts'

export interface WebhookTestSizes {
  webhookTestsPerHost: number
  webhookTestsPerAddress: number
}

type Tester = Pick<Visitor, 'address' | 'tellLimit'>

/** `first`: of a new address, by itself; `again`: on request. */
export type WebhookTest = 'first' | 'again'

/**
 * Draws one test of a webhook, which goes to a host that has not agreed to anything: from what is asked for from one network
 * in all organizations together, and on request from what the organization may send there.
 * @throws Refusal too-many
 */
export type DrawWebhookTest = (
  visitor: Tester,
  organization: OrganizationId,
  url: string,
  test: WebhookTest,
) => Promise<void>

export function webhookTestBudget(
  { webhookTestsPerHost, webhookTestsPerAddress }: WebhookTestSizes,
  limiterOf: (name: string, points: number, seconds: number) => Limiter,
  drawAll: (draws: Draw[], visitor: Tester) => Promise<unknown>,
): DrawWebhookTest {
  const ofHost = limiterOf('webhook-tests-per-host', webhookTestsPerHost, HOUR_SECONDS)
  const ofNetwork = limiterOf('webhook-tests-per-address', webhookTestsPerAddress, HOUR_SECONDS)
  return async (visitor, organization, url, test) => {
    // a name is the same with a dot at its end, and a host on any port
    const host = new URL(url).hostname.replace(/\.$/, '')
    const draws = [{ limiter: ofNetwork, key: networkOf(visitor.address) }]
    if (test === 'again') draws.push({ limiter: ofHost, key: `${organization} ${host}` })
    await drawAll(draws, visitor)
  }
}
