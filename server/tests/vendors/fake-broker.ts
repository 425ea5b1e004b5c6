import type { IdentityOrganizationId, IdentityUserId } from '../../src/platform/ids.ts'
import { ProviderFailure } from '../../src/platform/refusal.ts'
import type { BrokerPort } from '../../src/ports/broker.ts'

/** A broker with connections that the test makes and cuts. */
export interface FakeBroker extends Pick<BrokerPort, 'connectedUsers' | 'occupiedOrganizations'> {
  connect(organization: string, user: string): void
  /** Ends one of the person's connections. */
  cut(organization: string, user: string): void
  isConnected(organization: string, user: string): boolean
  /** All connections and all memory are gone. */
  restart(): void
  /** Connections stand, but the broker shows none of them: a store that came back empty. */
  forget(): void
  /** What it shows is complete again. */
  recall(): void
  /** While true every question fails. */
  fail(failing: boolean): void
  /** The organizations of the last question. */
  asked: readonly string[]
}

export function fakeBroker(): FakeBroker {
  let connections: string[] = []
  let generation = 1
  let forgetful = false
  let failing = false
  const key = (organization: string, user: string) => `${organization} ${user}`
  const broker: FakeBroker = {
    asked: [],
    connect: (organization, user) => void connections.push(key(organization, user)),
    cut(organization, user) {
      const at = connections.indexOf(key(organization, user))
      if (at >= 0) connections.splice(at, 1)
    },
    isConnected: (organization, user) => connections.includes(key(organization, user)),
    restart() {
      connections = []
      generation += 1
      forgetful = false
    },
    forget() {
      generation += 1
      forgetful = true
    },
    recall() {
      forgetful = false
    },
    fail(now) {
      failing = now
    },
    async occupiedOrganizations() {
      if (failing) throw new ProviderFailure('broker', 'channels', { retryable: true })
      const organizations = connections.map((one) => one.slice(0, one.indexOf(' ')) as IdentityOrganizationId)
      return forgetful ? [] : [...new Set(organizations)]
    },
    async connectedUsers(organizations) {
      broker.asked = organizations
      if (failing) throw new ProviderFailure('broker', 'presence', { retryable: true })
      const connected = new Map<IdentityOrganizationId, Set<IdentityUserId>>()
      for (const organization of organizations) {
        const users = connections
          .filter((one) => !forgetful && one.startsWith(`${organization} `))
          .map((one) => one.slice(organization.length + 1) as IdentityUserId)
        connected.set(organization, new Set(users))
      }
      return { generation: String(generation), connected }
    },
  }
  return broker
}
