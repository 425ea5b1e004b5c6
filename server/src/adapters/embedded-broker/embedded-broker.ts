import {
  type EmbeddedBroker as Broker,
  type EmbeddedBrokerOptions as BrokerOptions,
  startEmbeddedBroker,
} from '@atrium/embedded-broker/start-embedded-broker.ts'
import { allowsOrigin } from '../../platform/http/origins/origins.ts'
import { trusted } from '../../platform/ids.ts'
import { ProviderFailure } from '../../platform/refusal.ts'
import type { BrokerPort } from '../../ports/broker.ts'
import { namespaces } from './namespaces.ts'

export interface EmbeddedBrokerOptions extends Omit<BrokerOptions, 'namespaces' | 'allowsOrigin' | 'isAway'> {
  /** Origins that browsers may connect from. */
  origins: readonly string[]
  /** Whether another node is the broker now: this one lets no client in, for no event would reach it. */
  isHeldByAnotherNode?: () => boolean
}

/** The embedded broker as the port, for one node. */
export interface EmbeddedBroker
  extends BrokerPort,
    Pick<Broker, 'acceptUpgrade' | 'apply' | 'connectionsOpen' | 'sendAway' | 'close'> {}

const ORGANIZATION_CHANNELS = 'org:'
const HELD_BY_ANOTHER_NODE = new Error('another node on this database is the broker')

export function openEmbeddedBroker({
  origins,
  isHeldByAnotherNode = () => false,
  ...options
}: EmbeddedBrokerOptions): EmbeddedBroker {
  const broker = startEmbeddedBroker({
    ...options,
    namespaces,
    allowsOrigin: (origin) => allowsOrigin(origins, origin),
    isAway: isHeldByAnotherNode,
  })
  const requireHere = () => {
    if (isHeldByAnotherNode())
      throw new ProviderFailure('embedded broker', 'answer', { retryable: true, cause: HELD_BY_ANOTHER_NODE })
  }
  const usersOf = (organization: string) =>
    new Set([...broker.usersOn(ORGANIZATION_CHANNELS + organization)].map(trusted.identityUserId))
  const { acceptUpgrade, apply, connectionsOpen, sendAway, close } = broker
  return {
    ...{ acceptUpgrade, apply, connectionsOpen, sendAway, close },
    async connectedUsers(organizations) {
      requireHere()
      const connected = organizations.map((organization) => [organization, usersOf(organization)] as const)
      return { generation: broker.generation, connected: new Map(connected) }
    },
    async occupiedOrganizations() {
      requireHere()
      return [...broker.channels()]
        .filter((channel) => channel.startsWith(ORGANIZATION_CHANNELS))
        .map((channel) => trusted.identityOrganizationId(channel.slice(ORGANIZATION_CHANNELS.length)))
    },
    async endConnections(endings) {
      requireHere()
      return new Set(
        endings.filter(({ user, isOf, disconnect }) => broker.endConnections(user, isOf, disconnect)),
      )
    },
    async publish(channels, data) {
      requireHere()
      apply('broadcast', { channels, data, skip_history: true })
    },
    async check() {
      requireHere()
    },
  }
}
