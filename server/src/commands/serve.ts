import { openOfficeDatabase } from '../compose/from-configuration/office-database.ts'
import type { Config } from '../configuration/config.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { pause } from '../platform/timing/pause.ts'
import { VERSION } from '../platform/version.ts'

export interface RunningOffice {
  /** What to tell the person at the terminal. */
  welcome: string[]
  /** Drains and closes everything; the data is safe with or without it. */
  stop(reason: string): Promise<void>
}

/** Opens an office: database, schema, everything behind the API, then the API itself. */
export async function serve(
  config: Config,
  { log, clock, hotUpdates = false }: { log: Log; clock: Clock; hotUpdates?: boolean },
): Promise<RunningOffice> {
  const holder = () => ({ pid: process.pid, url: config.baseUrl })
  // each part that was opened is closed again, last first, when a later step fails and when the office closes
  await using stack = new AsyncDisposableStack()
  // it holds this process for a second, longer on a busy machine: no connection to the database is made meanwhile
  const load = () => import('./open-doors.ts')
  // told below, once the database can be closed
  const loadAhead = () => void load().catch(() => {})
  const database = await openOfficeDatabase(config, log, holder, loadAhead)
  stack.defer(() => database.close())
  const { openDoors } = await load()
  let draining = false
  await openDoors(stack, {
    config,
    log,
    clock,
    hotUpdates,
    connectionString: database.connectionString,
    isDraining: () => draining,
  })
  const running = stack.move()
  return {
    welcome: welcome(config, database.about),
    async stop(reason) {
      if (draining) return
      draining = true
      log.info({ reason }, 'closing the office')
      if (config.drainNoticeMs > 0) await pause(config.drainNoticeMs)
      await running.disposeAsync()
      log.info('closed')
    },
  }
}

function welcome(config: Config, database: string): string[] {
  const { baseUrl } = config
  const lines = [
    `Atrium ${VERSION} is open at ${baseUrl}  (${config.environment})`,
    `  Reference  ${baseUrl}/docs`,
  ]
  if (config.environment !== 'production' && !config.smtpUrl) {
    lines.push(`  Mailbox    ${baseUrl}/sandbox/mail  (mails of this office land here)`)
  }
  if (config.environment !== 'production') {
    lines.push(`  Ways in    ${baseUrl}/sandbox/sign-in  (try them all, with stand-ins for the vendors)`)
  }
  lines.push(`  Data       ${database}`)
  if (config.environment !== 'production') {
    lines.push(
      `  Sign in    curl -c cookies -H 'content-type: application/json' -d '{}' ${baseUrl}/auth/dev-sign-in`,
      `             or POST /auth/sign-up {"email": "you@example.com"}, read the code in the mailbox, POST /auth/finalize-magic-auth`,
    )
  }
  return [...lines, 'Stop it with Ctrl-C.']
}
