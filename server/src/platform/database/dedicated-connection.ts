import pg from 'pg'
import type { Log } from '../log.ts'
import { pause, settledWithin } from '../timing/pause.ts'
import { hangUp } from './pg-internals.ts'

export interface DedicatedConnectionOptions {
  /** Must lead to PostgreSQL itself or a pooler in session mode: what is done here belongs to the session. */
  connectionString: string
  /** Shown by PostgreSQL as the name of the application. */
  name: string
  log: Pick<Log, 'info' | 'warn'>
  /** Called with each new connection; `lost` is aborted when that one ends, for any reason. */
  onOpen(client: pg.Client, lost: AbortSignal): Promise<void>
  /** Asked every `probeEveryMs` on a connection that stands; default: `select 1`. */
  probe?(client: pg.Client): Promise<unknown>
  probeEveryMs: number
  /** A connection that does not answer within this many milliseconds is given up. */
  answerWithinMs: number
}

export interface DedicatedConnection {
  /** Ends the connection for good. Resolves when it has ended. */
  close(): Promise<void>
}

const CONNECT_TIMEOUT_MS = 2_000
const FIRST_RETRY_MS = 100
const LAST_RETRY_MS = 2_000
/** How long a polite goodbye may take. */
const GOODBYE_MS = 500

/**
 * Keeps one connection outside the pool standing, for what belongs to a session (LISTEN, session locks). A connection
 * that is cut, falls silent, or fails in `onOpen` or `probe` is replaced, after 100 ms … 2 s.
 */
export function keepConnection(options: DedicatedConnectionOptions): DedicatedConnection {
  const closing = new AbortController()
  const ended = keep(options, closing.signal)
  const close = async () => {
    closing.abort()
    await ended
  }
  return { close }
}

async function keep(options: DedicatedConnectionOptions, closing: AbortSignal): Promise<void> {
  let failures = 0
  while (!closing.aborted) {
    let stood = false
    const opened = () => {
      stood = true
      if (failures > 0) options.log.info({ connection: options.name }, 'database connection is back')
    }
    const error = await holdOne(options, closing, opened)
    if (closing.aborted) return
    failures = stood ? 1 : failures + 1
    // once per outage
    if (failures === 1) options.log.warn({ err: error, connection: options.name }, 'database connection lost')
    await pause(retryMs(failures), closing)
  }
}

/** Holds one connection until it is lost or we close; answers why it is gone. */
async function holdOne(
  options: DedicatedConnectionOptions,
  closing: AbortSignal,
  opened: () => void,
): Promise<unknown> {
  const client = new pg.Client({
    connectionString: options.connectionString,
    application_name: options.name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: options.answerWithinMs,
    keepAlive: true,
  })
  const lost = new AbortController()
  client.on('error', (error) => lost.abort(error))
  client.once('end', () => lost.abort(new Error('the connection ended')))
  const over = AbortSignal.any([lost.signal, closing])
  try {
    await client.connect()
    await options.onOpen(client, lost.signal)
    opened()
    while (!over.aborted) {
      await pause(options.probeEveryMs, over)
      if (!over.aborted) await (options.probe?.(client) ?? client.query('select 1'))
    }
    return lost.signal.reason
  } catch (error) {
    return error
  } finally {
    lost.abort(new Error('the connection was given up'))
    await end(client)
  }
}

/** Says goodbye where the server listens, and hangs up anyway. */
async function end(client: pg.Client): Promise<void> {
  await settledWithin(
    GOODBYE_MS,
    client.end().catch(() => {}),
  )
  hangUp(client)
}

function retryMs(failures: number): number {
  const longest = Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LAST_RETRY_MS)
  // nodes that lost the same server do not come back in step
  return longest * (0.5 + Math.random() / 2)
}
