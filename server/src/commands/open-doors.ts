import { buildApp } from '../compose/app.ts'
import { type Office, openOffice } from '../compose/office.ts'
import type { Config } from '../configuration/config.ts'
import { growOutbox } from '../platform/background/outbox.ts'
import type { Clock } from '../platform/clock.ts'
import { clockOfDatabase } from '../platform/database/database-clock.ts'
import { migrate } from '../platform/database/migrate.ts'
import { tellDifferences } from '../platform/database/tell-differences.ts'
import { closeServer } from '../platform/http/connections/close-server.ts'
import { machineServer } from '../platform/http/machine-routes.ts'
import type { Server } from '../platform/http/server.ts'
import type { Log } from '../platform/log.ts'

const REQUESTS_WITHIN_MS = 20_000
const METRICS_CONNECTIONS_MAX = 32

export interface DoorsOptions {
  config: Config
  log: Log
  clock: Clock
  hotUpdates: boolean
  /** Of the database, which takes connections. Holds a password: not for logs. */
  connectionString: string
  isDraining(): boolean
}

/**
 * Opens all that stands on the database: schema, everything behind the API, then the API itself.
 * @param stack gets what is to be closed, last first
 * @throws Error with a message for a person, naming the setting to look at
 */
export async function openDoors(stack: AsyncDisposableStack, options: DoorsOptions): Promise<void> {
  const { config, log, connectionString, isDraining, hotUpdates } = options
  await prepare(connectionString, config, log)
  // beside the rest of the start, which need not wait for it
  const comparison = tellDifferences(connectionString, log)
  stack.defer(async () => void (await comparison))
  const clock = clockOfDatabase(options.clock, log)
  const office = await openOffice({
    config,
    log,
    clock,
    hotUpdates,
    compareClock: clock.compare,
    connectionString,
  })
  stack.use(office)
  const compared = clock.compare(office.databases.background)
  const app = await buildApp(office, { strictReplies: config.environment === 'test', isDraining })
  stack.defer(() => closeServer(app, REQUESTS_WITHIN_MS, log))
  await compared
  // after the routes: building them keeps the event loop from answering its connections in time
  office.start()
  await listen(app, { ...config, setting: 'PORT' })
  await serveMetricsPage(config, office, log, stack)
  // not before: it would take its share of the processor from our own start
  office.uploads.startImageCheck()
}

/** Brings the schema to where this release works with it. */
async function prepare(connectionString: string, { outboxPartitions }: Config, log: Log): Promise<void> {
  await migrate(connectionString, log)
  await growOutbox(connectionString, outboxPartitions)
}

/** On a port of its own, where it has one. */
async function serveMetricsPage(
  { host, baseUrl, metrics: { port } }: Config,
  office: Pick<Office, 'metrics'>,
  log: Log,
  stack: AsyncDisposableStack,
): Promise<void> {
  if (port === undefined) return
  const page = machineServer(office.metrics.page, { secure: baseUrl.startsWith('https:') })
  limitPageConnections(page, log)
  stack.defer(() => page.close())
  await listen(page, { host, port, setting: 'METRICS_PORT' })
}

/** A reader of the metrics needs few; without a listener, one that cannot be taken would end the process. */
function limitPageConnections({ server }: Server, log: Log): void {
  server.maxConnections = METRICS_CONNECTIONS_MAX
  server.on('error', (err) => {
    // before it listens, the caller of `listen` gets the error
    if (server.listening) log.warn({ err }, 'the server of the metrics could not take a connection')
  })
}

interface ListenAddress {
  host: string
  port: number
  /** Where the port was chosen. */
  setting: 'PORT' | 'METRICS_PORT'
}

async function listen(app: Server, { host, port, setting }: ListenAddress): Promise<void> {
  try {
    await app.listen({ port, host })
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'EADDRINUSE') {
      throw new Error(
        `Port ${port} is in use by another program. Choose another one: ${setting}=${port + 1} npm start`,
      )
    }
    if (code === 'EACCES')
      throw new Error(
        `Port ${port} needs more rights than this user has. Choose one above 1023 with ${setting}.`,
      )
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EINVAL')
      throw new Error(`${host} is no address of this machine. Check HOST.`)
    throw error
  }
}
