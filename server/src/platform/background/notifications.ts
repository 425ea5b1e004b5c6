import pg from 'pg'
import { keepConnection } from '../database/dedicated-connection.ts'
import type { Log } from '../log.ts'

export interface NotificationsOptions {
  /** See `keepConnection`: no pooler in transaction mode. */
  connectionString: string
  log: Pick<Log, 'info' | 'warn' | 'error'>
  /**
   * Called whenever `isLive()` has changed: something may have been missed until now, or may be from now on.
   * Listeners distrust what they remember.
   */
  onGap(): void
  /** A connection is asked every so often whether it is alive, and must answer in time. For tests. */
  keepalive?: { everyMs: number; answerWithinMs: number }
}

export interface Notifications {
  /** Calls `handler` with the payload of each notification of the channel, from now on or from when the connection stands. */
  on(channel: string, handler: (payload: string) => void): void
  /** True while nothing that any handler waits for can be missed. */
  isLive(): boolean
  /**
   * Where the log of the database stands: what was committed and notified before this was asked has been handed to its
   * handlers when it is answered. Undefined while something may be missed, or where the database is a standby.
   */
  position(): Promise<string | undefined>
  close(): Promise<void>
}

const KEEPALIVE = { everyMs: 5_000, answerWithinMs: 2_000 }

/** What listens, for the functions below. */
interface Listening {
  readonly options: NotificationsOptions
  readonly handlers: Map<string, ((payload: string) => void)[]>
  /** The connection that hears every channel. */
  standing: pg.Client | undefined
  /** Channels that it is yet to hear. */
  unheard: number
  live: boolean
}

/** Listens to PostgreSQL's notifications on one connection of its own, and again after every loss of it. */
export function listenForNotifications(options: NotificationsOptions): Notifications {
  const { log, keepalive = KEEPALIVE } = options
  const listening: Listening = { options, handlers: new Map(), standing: undefined, unheard: 0, live: false }
  const connection = keepConnection({
    connectionString: options.connectionString,
    name: 'atrium notifications',
    log,
    onOpen: (client, lost) => hearAll(listening, client, lost),
    probeEveryMs: keepalive.everyMs,
    answerWithinMs: keepalive.answerWithinMs,
  })
  return {
    on(channel, handler) {
      const { handlers, standing } = listening
      const known = handlers.get(channel)
      if (known) {
        known.push(handler)
        return
      }
      handlers.set(channel, [handler])
      if (standing) void listenLate(listening, standing, channel)
    },
    isLive: () => listening.live,
    position: () => positionOf(listening),
    close: () => connection.close(),
  }
}

async function hearAll(listening: Listening, client: pg.Client, lost: AbortSignal): Promise<void> {
  const { handlers } = listening
  client.on('notification', ({ channel, payload = '' }) => {
    for (const handler of handlers.get(channel) ?? []) guarded(listening, () => handler(payload))
  })
  lost.addEventListener('abort', () => {
    if (listening.standing === client) listening.standing = undefined
    tell(listening)
  })
  // a channel that is added while we wait is visited too
  for (const channel of handlers.keys()) await client.query(listen(channel))
  if (lost.aborted) return
  listening.standing = client
  tell(listening)
}

async function listenLate(listening: Listening, client: pg.Client, channel: string): Promise<void> {
  listening.unheard += 1
  tell(listening)
  // a connection that cannot listen is of no use: the next one begins with every channel
  await client.query(listen(channel)).catch(() => client.end().catch(() => {}))
  listening.unheard -= 1
  tell(listening)
}

/** Says so where it becomes live, or is no more. */
function tell(listening: Listening): void {
  const { options, standing, unheard } = listening
  const now = standing !== undefined && unheard === 0
  if (now === listening.live) return
  listening.live = now
  guarded(listening, () => options.onGap())
}

async function positionOf(listening: Listening): Promise<string | undefined> {
  const asked = listening.standing
  if (!listening.live || !asked) return undefined
  const text = 'select pg_current_wal_insert_lsn()::text as position'
  const answer = await asked.query<{ position: string }>(text).catch(() => undefined)
  return listening.live && listening.standing === asked ? answer?.rows[0]?.position : undefined
}

function guarded({ options }: Listening, work: () => void): void {
  try {
    work()
  } catch (err) {
    options.log.error({ err }, 'a listener failed')
  }
}

function listen(channel: string): string {
  return `listen ${pg.escapeIdentifier(channel)}`
}
