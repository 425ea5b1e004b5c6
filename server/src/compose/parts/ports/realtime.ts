import type { EndedAccess } from '../../../access/sessions/ended-access.ts'
import { parseTokenOrigin } from '../../../access/sessions/token-origin.ts'
import { centrifugoBroker } from '../../../adapters/centrifugo/centrifugo-broker.ts'
import { type EmbeddedBroker, openEmbeddedBroker } from '../../../adapters/embedded-broker/embedded-broker.ts'
import type { ConnectionTokens } from '../../../features/realtime/mint-connection-token.ts'
import { organizationOfMeta, subscribeProxy } from '../../../features/realtime/routes.ts'
import { judgeSubscription } from '../../../features/realtime/rules.ts'
import { startOutboxRelay } from '../../../platform/background/outbox-relay.ts'
import { openPool, type Pool } from '../../../platform/database/database.ts'
import { keepSessionLock } from '../../../platform/database/session-lock.ts'
import { serveUpgrades } from '../../../platform/http/connections/upgrades.ts'
import { poolMeasures } from '../../../platform/metrics/pool-measures.ts'
import { keysOf } from '../../../platform/secrets/secret.ts'
import { VERSION } from '../../../platform/version.ts'
import type { BrokerPort } from '../../../ports/broker.ts'
import type { Opening, Part } from '../../part.ts'
import type { Access } from '../access.ts'
import type { OfficeNotifications } from '../platform/notifications.ts'

/** The realtime part of an office: its broker, and what the HTTP server does for it. */
export interface Realtime extends Part {
  needs: { connectionTokens: ConnectionTokens }
  broker: BrokerPort
  /** Whether this node holds the connections of clients; undefined: a broker beside all nodes does. */
  holdsConnections?: () => boolean
}

interface RealtimeContext extends Opening {
  notifications: OfficeNotifications
  endedAccess: EndedAccess
}

const WEBSOCKET_PATH = '/connection/websocket'
const RELAY_CONNECTIONS = 2
const RELAY_STATEMENT_MS = 10_000
/** Beside that of the leader of the jobs. */
const BROKER_LOCK = 2
/** More than a session of ours outlives its connection. */
const OWN_SESSION_ENDS_MS = 6_000
export const SECOND_BROKER =
  'Another node on this database is the embedded broker, which serves one node only: realtime clients are refused here. For several nodes set BROKER=centrifugo on all of them'

/** With Centrifugo, it reads the outbox by itself and clients connect to it; embedded, both are ours to do. */
export function openRealtime(
  opening: Opening,
  { notifications, access }: { notifications: OfficeNotifications; access: Access },
): Realtime {
  const context = { ...opening, notifications, endedAccess: access.endedAccess }
  const { centrifugo, tokenSecrets, proxySecrets, publicUrl } = context.config.broker
  const tokenKeys = keysOf(tokenSecrets)
  const needs = { connectionTokens: { key: tokenKeys.current, brokerUrl: publicUrl } }
  const machineRoutes = [subscribeProxy({ proxySecrets })]
  if (centrifugo) {
    return {
      needs,
      machineRoutes,
      broker: centrifugoBroker({ url: centrifugo.apiUrl, key: centrifugo.apiKey }),
    }
  }
  let lease: BrokerLease | undefined
  const isTaken = () => lease?.isTaken() ?? false
  const broker = embedded(context, tokenKeys.all, isTaken)
  opening.stack.defer(() => broker.close())
  let relayPool: Pool | undefined
  return {
    needs,
    machineRoutes,
    broker,
    holdsConnections: () => !isTaken(),
    measures: () => [
      { metric: 'realtime_connections_open', value: broker.connectionsOpen() },
      ...(relayPool ? poolMeasures({ relay: relayPool }) : []),
    ],
    routes(server) {
      serveUpgrades(server, {
        path: WEBSOCKET_PATH,
        accept: broker.acceptUpgrade,
        close: () => broker.close(),
      })
    },
    start(stack) {
      const taken = takeBrokerLease(context, () => broker.sendAway())
      stack.defer(() => taken.leave())
      lease = taken
      relayPool = relayTo(broker, { ...context, stack }, taken.isOurs)
    },
  }
}

/** Whether this node is the one that serves clients by its embedded broker. */
interface BrokerLease {
  isOurs(): boolean
  /** Another node has it. While that is unknown, clients may come. */
  isTaken(): boolean
  leave(): Promise<void>
}

/**
 * The embedded broker knows the connections of its own process only: of several nodes on one database, one can be
 * it. The others send clients away and leave the outbox alone, until the lease is free.
 */
function takeBrokerLease({ connectionString, log }: RealtimeContext, onTaken: () => void): BrokerLease {
  let state: 'unknown' | 'ours' | 'taken' = 'unknown'
  let lostAt = Number.NEGATIVE_INFINITY
  const lock = keepSessionLock({
    connectionString,
    name: 'atrium broker',
    number: BROKER_LOCK,
    log,
    onWon(lost) {
      if (state === 'taken')
        log.warn('the other node has gone: the embedded broker of this one serves clients')
      state = 'ours'
      lost.addEventListener('abort', () => {
        state = 'unknown'
        lostAt = performance.now()
      })
    },
    onTaken() {
      // for a moment after an outage, it may still be held by our own earlier session
      if (state === 'taken' || performance.now() - lostAt < OWN_SESSION_ENDS_MS) return
      state = 'taken'
      log.error(`${SECOND_BROKER} (deploy/centrifugo/README.md)`)
      onTaken()
    },
  })
  return { isOurs: () => state === 'ours', isTaken: () => state === 'taken', leave: () => lock.close() }
}

function embedded(
  { config, log, clock, endedAccess }: RealtimeContext,
  tokenKeys: readonly Uint8Array[],
  isHeldByAnotherNode: () => boolean,
): EmbeddedBroker {
  return openEmbeddedBroker({
    isHeldByAnotherNode,
    tokenKeys,
    origins: config.origins,
    ended: {
      current: endedAccess.current,
      // without an origin it is none of ours, or of an earlier release: its client gets another
      has(info) {
        const origin = parseTokenOrigin(info)
        return origin === undefined || endedAccess.has(origin)
      },
    },
    limits: { userConnectionsMax: config.broker.connectionsPerUser },
    judge: ({ channel, meta }) => judgeSubscription(channel, organizationOfMeta(meta)),
    now: () => clock.now(),
    version: `Atrium ${VERSION}`,
    onFault: (error) => log.error({ err: error }, 'the broker failed at a frame'),
  })
}

/** What Centrifugo does by itself. On connections of its own: events never wait behind jobs and mails. */
function relayTo(
  broker: EmbeddedBroker,
  { connectionString, notifications, log, stack }: RealtimeContext,
  mayRelay: () => boolean,
): Pool {
  const pool = openPool({
    connectionString,
    maxConnections: RELAY_CONNECTIONS,
    statementTimeoutMs: RELAY_STATEMENT_MS,
    onIdleError: (error) => log.warn({ err: error }, 'the database closed a connection of the relay'),
  })
  stack.defer(() => pool.end())
  const relay = startOutboxRelay({ pool, notifications, log, dispatch: broker.apply, mayRelay })
  stack.defer(() => relay.stop())
  return pool
}
