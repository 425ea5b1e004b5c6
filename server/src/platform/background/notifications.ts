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

/** Listens to PostgreSQL's notifications on one connection of its own, and again after every loss of it. */
export function listenForNotifications(options: NotificationsOptions): Notifications {
  const { log, keepalive = KEEPALIVE } = options
  const handlers = new Map<string, ((payload: string) => void)[]>()
  let standing: pg.Client | undefined
  let unheard = 0
  let live = false

  const tell = () => {
    const now = standing !== undefined && unheard === 0
    if (now === live) return
    live = now
    guarded(() => options.onGap())
  }
  const guarded = (work: () => void) => {
    try {
      work()
    } catch (err) {
      log.error({ err }, 'a listener failed')
    }
  }
  const dispatch = ({ channel, payload = '' }: pg.Notification) => {
    for (const handler of handlers.get(channel) ?? []) guarded(() => handler(payload))
  }
  const onOpen = async (client: pg.Client, lost: AbortSignal) => {
    client.on('notification', dispatch)
    lost.addEventListener('abort', () => {
      if (standing === client) standing = undefined
      tell()
    })
    // a channel that is added while we wait is visited too
    for (const channel of handlers.keys()) await client.query(listen(channel))
    if (lost.aborted) return
    standing = client
    tell()
  }
  const listenLate = async (client: pg.Client, channel: string) => {
    unheard += 1
    tell()
    // a connection that cannot listen is of no use: the next one begins with every channel
    await client.query(listen(channel)).catch(() => client.end().catch(() => {}))
    unheard -= 1
    tell()
  }

  const connection = keepConnection({
    connectionString: options.connectionString,
    name: 'atrium notifications',
    log,
    onOpen,
    probeEveryMs: keepalive.everyMs,
    answerWithinMs: keepalive.answerWithinMs,
  })
  const on = (channel: string, handler: (payload: string) => void) => {
    const known = handlers.get(channel)
    if (known) {
      known.push(handler)
      return
    }
    handlers.set(channel, [handler])
    if (standing) void listenLate(standing, channel)
  }
  const position = async () => {
    const asked = standing
    if (!live || !asked) return undefined
    const text = 'select pg_current_wal_insert_lsn()::text as position'
    const answer = await asked.query<{ position: string }>(text).catch(() => undefined)
    return live && standing === asked ? answer?.rows[0]?.position : undefined
  }
  return { on, isLive: () => live, position, close: () => connection.close() }
}

function listen(channel: string): string {
  return `listen ${pg.escapeIdentifier(channel)}`
}
