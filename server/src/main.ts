import { fileURLToPath } from 'node:url'
import { freePort } from '@atrium/embedded-postgres/free-port.ts'
import { Command } from 'commander'
import type { OperatorContext } from './commands/operator-commands.ts'
import { type Config, ConfigurationProblem, readConfig } from './configuration/config.ts'
import { readEnvironmentFile } from './configuration/environment-file.ts'
import { sentenceOfUnknown, unknownSettings } from './configuration/unknown-settings.ts'
import { systemClock } from './platform/clock.ts'
import { openLog } from './platform/log.ts'
import { faultSentence } from './platform/text/fault-sentence.ts'
import { keepTicksQuick } from './platform/timing/quick-ticks.ts'
import { VERSION } from './platform/version.ts'

/**
 * The command line: the only file that reads the environment, prints for people, or ends the process. What lives for as
 * long as the process does, the office and the image check, stands here, with the signals that end it.
 */

/** Longer than anything within it may take, after the notice: requests, jobs, mails, database. */
const CLOSE_WITHIN_MS = 60_000
const PARENT_LOOK_MS = 500
const LAST_LINES_WITHIN_MS = 2_000
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

keepTicksQuick()

let openedLog: ReturnType<typeof openLog> | undefined

const program = new Command('atrium').description('The open backend of a virtual office').version(VERSION)

program
  .command('serve')
  .description('open the office')
  .option('--hot-updates', 'serve the web office from its sources, each change at once in the browser')
  .action(async ({ hotUpdates }: { hotUpdates?: true }) => {
    // before anything else: the parent process may be gone by the time the office is open
    const parent = process.ppid
    const { serve } = await import('./commands/serve.ts')
    const config = await configuration()
    const log = logOf(config)
    for (const unknown of unknownSettings(process.env)) log.warn(sentenceOfUnknown(unknown))
    const running = await serve(config, {
      log,
      clock: systemClock,
      hotUpdates: hotUpdates === true,
    })
    let stopping = false
    const stop = (reason: string) => {
      // A terminal and a launcher may both pass a signal on: the second one must not cut the first short.
      if (stopping) return
      stopping = true
      const late = () => fail(new Error('the office did not close in time'))
      setTimeout(late, config.drainNoticeMs + CLOSE_WITHIN_MS).unref()
      running.stop(reason).then(() => process.exit(0), fail)
    }
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop(signal))
    // A promise without a waiter leaves nothing half done that others count on: it is a defect to log, not a reason to
    // end.
    process.on('unhandledRejection', (err) => log.error({ err }, 'a promise was rejected that nobody awaits'))
    process.once('disconnect', () => stop('parent gone'))
    // undefined where there never was a channel
    if (process.connected === false) stop('parent gone')
    stopWithNpm(parent, () => stop('npm gone'))
    // last: a reader of these lines may end the process at once
    for (const line of running.welcome) console.log(line)
  })

program
  .command('image-check')
  .description('serve the image check by itself (docs/image-check.md); reads no setting, needs no secret')
  .option('--host <address>', 'address to listen on', '127.0.0.1')
  .option('--port <number>', 'port; 0 takes a free one', '3100')
  .action(async ({ host, port }: { host: string; port: string }) => {
    process.once('disconnect', () => process.exit(0))
    const { serveImageCheck } = await import('@atrium/image-check/image-check-server.ts')
    const listening = await serveImageCheck({ host, port: Number(port), onFatal: fail })
    console.log(`The image check answers at http://${host}:${listening.port}`)
  })

const operator: OperatorContext = {
  configuration,
  logOf: commandLogOf,
  print: (line) => console.log(line),
  complain: (line) => console.error(line),
  end(code = 0) {
    // a pipe may not have taken all of it yet
    process.stdout.write('', () => process.stderr.write('', () => leave(code)))
  },
}
// they load much of the server, which `serve` loads at a time of its own, and the image check does without
if (!['serve', 'image-check'].includes(process.argv[2] ?? '')) {
  const { addCommands } = await import('./commands/all-commands.ts')
  addCommands(program, operator, { environment: process.env, root: ROOT })
}
program.hook('preAction', (_program, command) => {
  if (command.name() !== 'image-check') loadEnvironmentFile()
})

try {
  await program.parseAsync()
} catch (error) {
  fail(error)
}

/**
 * Settings may stand in a file `.env` in the folder of the checkout; those of the environment win. One that is there
 * and cannot be read is no reason to open an office with other settings than were meant.
 */
function loadEnvironmentFile(): void {
  for (const [name, value] of Object.entries(readEnvironmentFile(`${ROOT}.env`))) process.env[name] ??= value
}

async function configuration(): Promise<Config> {
  const environment = { ...process.env }
  if (environment.PORT?.trim() === '0') environment.PORT = String(await freePort())
  return readConfig(environment, ROOT)
}

function logOf(config: Config) {
  openedLog = openLog({ level: config.logLevel, forPeople: process.stdout.isTTY === true })
  return openedLog
}

/** Of a command with output for a person, or for another program. */
function commandLogOf(config: Config) {
  const forPeople = process.stderr.isTTY === true
  openedLog = openLog({ level: config.logLevel, forPeople, toErrorOutput: true })
  return openedLog
}

/** npm gives a SIGTERM only to the shell it runs scripts with: the shell ends and would leave us behind. */
function stopWithNpm(shell: number, stop: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return
  const look = () => {
    if (process.ppid !== shell) stop()
  }
  setInterval(look, PARENT_LOOK_MS).unref()
}

/**
 * What is wrong, in one line each, and nothing else: a stack trace does not help an operator who only wanted to start
 * it.
 */
function fail(error: unknown): void {
  const lines = error instanceof ConfigurationProblem ? error.message.split('\n') : [faultSentence(error)]
  for (const line of lines) console.error(`atrium: ${line}`)
  leave(1)
}

/** Ends the process once the log is written: at the end, it would try for ever to write what no reader takes any more. */
function leave(code: number): void {
  if (!openedLog) process.exit(code)
  const exit = () => process.exit(code)
  setTimeout(exit, LAST_LINES_WITHIN_MS)
  openedLog.flush(exit)
}
