import { isStatusNamespace, parseStatusChannel } from '@atrium/contract/events'

/** The answer to a subscription, in the form of Centrifugo's subscribe proxy. An empty object would mean yes. */
export type SubscribeAnswer =
  | { result: Record<string, never> }
  | { error: { code: 403; message: 'channel not allowed' | 'permission denied' } }

/**
 * Whether a connection of an organization may subscribe to a channel. Only statuses can be asked for, and only those
 * of people of one's own organization; every other channel is given by the connection token or not at all.
 * @param organization `meta.org` of the connection, as the broker forwards it
 */
export function judgeSubscription(channel: string, organization: unknown): SubscribeAnswer {
  const named = isStatusNamespace(channel) ? parseStatusChannel(channel) : undefined
  return named && organization === named.organization ? { result: {} } : deniedSubscription(channel)
}

/** The "no" to a subscription. */
export function deniedSubscription(channel: string): SubscribeAnswer {
  const message = isStatusNamespace(channel) ? 'permission denied' : 'channel not allowed'
  return { error: { code: 403, message } }
}
