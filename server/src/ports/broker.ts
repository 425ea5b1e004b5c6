import type { IdentityOrganizationId, IdentityUserId } from '../platform/ids.ts'

/** Who holds live connections, as far as the broker remembers. */
export interface ConnectionCensus {
  /**
   * Names the broker's memory: its nodes and the life of its stored data. Differs from that of an earlier census
   * whenever connections may have been forgotten in between (a node came or went, the store came back empty), so
   * that an absence proves nothing.
   */
  generation: string
  /** Every organization that was asked for, with each of its connected people once. */
  connected: ReadonlyMap<IdentityOrganizationId, ReadonlySet<IdentityUserId>>
}

/** Connections that are to be closed, because what their tokens were minted from has ended. */
export interface ConnectionEnding {
  organization: IdentityOrganizationId | null
  user: IdentityUserId
  /** Whether a token with this claim `info` was minted from what has ended. */
  isOf(info: unknown): boolean
  /** The person may hold no connection at all now: what cannot be told from others is closed too. */
  ofAll: boolean
  /** Told to the client. By the code it comes back or not; the reason is never empty. */
  disconnect: { code: number; reason: string }
}

/**
 * The realtime broker: holds the connections of all clients and carries what is published to them. What we want of
 * it in consequence of a change (publications, ended subscriptions) is not asked here: it leaves through
 * `platform/background/outbox.ts` in the transaction of the change. Only what tells of no change is published here.
 */
export interface BrokerPort {
  /**
   * Who of each organization is connected at this moment.
   * @throws ProviderFailure where any part of the answer is not known. It then says nothing about any person: a caller
   * changes nothing.
   */
  connectedUsers(organizations: readonly IdentityOrganizationId[]): Promise<ConnectionCensus>
  /**
   * Organizations with possible connections: to ask about beside those that we believe to have some. One may be missing
   * for a while; absence from the list says nothing. @throws ProviderFailure
   */
  occupiedOrganizations(): Promise<readonly IdentityOrganizationId[]>
  /**
   * Closes the connections of these endings, wherever they are, each with its code and reason.
   * @returns the endings of which there were any
   * @throws ProviderFailure where some may be open still: call again
   */
  endConnections(endings: readonly ConnectionEnding[]): Promise<ReadonlySet<ConnectionEnding>>
  /**
   * Publishes to clients that are connected at this moment, and keeps nothing: neither the outbox nor the history of a
   * channel has it, and a client that is away has missed it. @throws ProviderFailure where it may have reached no
   * client
   */
  publish(channels: readonly string[], data: object): Promise<void>
  /** Whether the broker can be reached and accepts us. @throws ProviderFailure where not. */
  check(): Promise<void>
}
