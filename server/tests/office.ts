import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AtriumClient, createAtriumClient, createCookieJar } from '@atrium/client'
import { reservePort } from '@atrium/embedded-postgres/free-port.ts'
import { buildApp } from '../src/compose/app.ts'
import { type Office, openOffice } from '../src/compose/office.ts'
import { readConfig } from '../src/configuration/config.ts'
import { type Log, openLog } from '../src/platform/log.ts'
import { type FreshDatabase, freshDatabase } from './fresh-database.ts'

/** A clock that tests move by hand; it also runs, so that two events are never at one moment. */
export interface TestClock {
  now(): Date
  /** Moves on by seconds; back with a negative number. */
  advance(seconds: number): void
}

export interface TestOffice {
  baseUrl: string
  office: Office
  database: FreshDatabase
  clock: TestClock
  /** Its DATA_DIR: shared by nodes, removed with the database. */
  dataDir: string
  /** A client with cookies of its own: one browser. @param send in place of the global fetch */
  browser(send?: typeof fetch): AtriumClient
  /** A client with a service token: one program. */
  program(serviceToken: string): AtriumClient
  close(): Promise<void>
}

export interface TestOfficeOptions {
  /** More settings of the environment. */
  settings?: Record<string, string>
  /** Another office on the same database: a second node. */
  beside?: TestOffice
  /** A migrated database that the test brings, and ends itself. */
  database?: FreshDatabase
  /** It listens where its BASE_URL says: for what calls it back by that address. */
  atBaseUrl?: boolean
  /**
   * Its jobs run once within a second of the start, as those of a real office. Else the first run is a period later: a
   * job of every hour then runs when a test asks for it (`office.jobs.runNow`), and not while the test moves the clock.
   */
  jobsAtOnce?: boolean
  /** In place of one that says nothing. */
  log?: Log
}

/** A busy machine is not what most tests are about. */
export const PATIENT = { DATABASE_WAIT_MS: '30000' }

/** Limits get in the way of tests that are not about them. */
const NO_LIMITS = {
  RATE_LIMIT_CODES_PER_EMAIL: '0',
  RATE_LIMIT_CODES_PER_EMAIL_HOUR: '0',
  RATE_LIMIT_SIGN_IN_PER_ADDRESS: '0',
  RATE_LIMIT_GUESSES_PER_ADDRESS: '0',
  RATE_LIMIT_GUESSES_PER_EMAIL_HOUR: '0',
  RATE_LIMIT_GUESSES_PER_EMAIL_DAY: '0',
  RATE_LIMIT_KNOCKS_PER_USER: '0',
  RATE_LIMIT_GUEST_PER_ADDRESS: '0',
  RATE_LIMIT_PER_USER: '0',
  REQUESTS_UNDER_WAY_PER_USER: '0',
  REQUESTS_UNDER_WAY_PER_ORGANIZATION: '0',
  RATE_LIMIT_PER_TOKEN: '0',
  RATE_LIMIT_PER_DIRECTORY: '0',
  RATE_LIMIT_INVITATIONS_PER_USER: '0',
  RATE_LIMIT_INVITATIONS_PER_ORGANIZATION: '0',
  RATE_LIMIT_INVITATIONS_PER_ADDRESS: '0',
  ORGANIZATIONS_PER_USER: '0',
  RATE_LIMIT_INVITATIONS_PER_EMAIL: '0',
  RATE_LIMIT_EXPORTS_PER_USER: '0',
  RATE_LIMIT_EXPORTS_PER_ORGANIZATION: '0',
  RATE_LIMIT_SIGN_ON_TRIALS_PER_ORGANIZATION: '0',
  RATE_LIMIT_UPLOAD_BYTES_PER_USER: '0',
  RATE_LIMIT_WEBHOOK_TESTS_PER_HOST: '0',
  RATE_LIMIT_WEBHOOK_TESTS_PER_ADDRESS: '0',
}

/** A whole office on a database of its own, listening on a port of its own. Close it after the test. */
export async function openTestOffice(options: TestOfficeOptions = {}): Promise<TestOffice> {
  await using stack = new AsyncDisposableStack()
  const given = options.beside?.database ?? options.database
  const database = given ?? (await freshDatabase())
  if (!given) stack.defer(() => database.drop())
  const dataDir = options.beside?.dataDir ?? (await mkdtemp(join(tmpdir(), 'atrium-test-')))
  if (!options.beside) stack.defer(() => rm(dataDir, { recursive: true, force: true }))
  const reserved = await reservePort()
  stack.defer(() => reserved.release())
  const settings = {
    ATRIUM_ENV: 'test',
    DATA_DIR: dataDir,
    // known before it listens: the addresses that it tells clients carry it
    PORT: String(reserved.port),
    LOG_LEVEL: 'silent',
    ...NO_LIMITS,
    ...PATIENT,
    ...options.settings,
  }
  const config = readConfig(settings, '/nowhere')
  const clock = options.beside?.clock ?? testClock()
  const log = options.log ?? logOf(config.logLevel)
  const { connectionString } = database
  const firstJobsWait = !options.jobsAtOnce
  const office = await openOffice({ config, log, clock, connectionString, firstJobsWait })
  stack.use(office)
  const app = await buildApp(office, { strictReplies: true, isDraining: () => false })
  stack.defer(() => app.close())
  office.start()
  await reserved.release()
  const baseUrl = await app.listen({ port: config.port, host: '127.0.0.1' })
  const opened = stack.move()
  return {
    baseUrl,
    office,
    database,
    clock,
    dataDir,
    browser: (send = fetch) => createAtriumClient({ baseUrl, cookies: createCookieJar(), fetch: send }),
    program: (serviceToken) => createAtriumClient({ baseUrl, serviceToken }),
    close: () => opened.disposeAsync(),
  }
}

const logs = new Map<string, Log>()

/** One for all offices of this process: each would look for lines to write five times a second, for good. */
function logOf(level: string): Log {
  const log = logs.get(level) ?? openLog({ level, forPeople: false })
  logs.set(level, log)
  return log
}

/** An address of this test alone. */
export function freshEmail(name = 'person'): string {
  return `${name}-${randomBytes(5).toString('hex')}@people.example`
}

export function testClock(): TestClock {
  let offset = 0
  return {
    now: () => new Date(Date.now() + offset),
    advance(seconds) {
      offset += seconds * 1_000
    },
  }
}
