import type { Connection } from './connection.ts'

/** Who is connected, and who has which channel. */
export interface Hub {
  join(connection: Connection): void
  /** Takes a connection out of everything. */
  leave(connection: Connection): void
  /** Again: with another end. */
  subscribe(connection: Connection, channel: string, expiresAt?: number): void
  unsubscribe(connection: Connection, channel: string): void
  subscribersOf(channel: string): ReadonlySet<Connection>
  connectionsOf(user: string): ReadonlySet<Connection>
  /** Those that have subscribers. */
  channels(): Iterable<string>
  /** Connections that hold a subscription with an end of its own. */
  withEndingSubscriptions(): ReadonlySet<Connection>
  all(): ReadonlySet<Connection>
}

const NOBODY: ReadonlySet<Connection> = new Set()

export function makeHub(): Hub {
  const connections = new Set<Connection>()
  const byUser = new Map<string, Set<Connection>>()
  const byChannel = new Map<string, Set<Connection>>()
  const ending = new Set<Connection>()
  const unsubscribe = (connection: Connection, channel: string) => {
    if (connection.subscriptions.delete(channel)) takeOut(byChannel, channel, connection)
  }
  return {
    join(connection) {
      connections.add(connection)
      putIn(byUser, connection.user, connection)
    },
    leave(connection) {
      for (const channel of [...connection.subscriptions.keys()]) unsubscribe(connection, channel)
      ending.delete(connection)
      if (connections.delete(connection)) takeOut(byUser, connection.user, connection)
    },
    subscribe(connection, channel, expiresAt) {
      connection.subscriptions.set(channel, expiresAt)
      if (expiresAt !== undefined) ending.add(connection)
      putIn(byChannel, channel, connection)
    },
    unsubscribe,
    subscribersOf: (channel) => byChannel.get(channel) ?? NOBODY,
    connectionsOf: (user) => byUser.get(user) ?? NOBODY,
    channels: () => byChannel.keys(),
    withEndingSubscriptions: () => ending,
    all: () => connections,
  }
}

function putIn(index: Map<string, Set<Connection>>, key: string, connection: Connection): void {
  const present = index.get(key)
  if (present) present.add(connection)
  else index.set(key, new Set([connection]))
}

function takeOut(index: Map<string, Set<Connection>>, key: string, connection: Connection): void {
  const present = index.get(key)
  present?.delete(connection)
  if (present?.size === 0) index.delete(key)
}
