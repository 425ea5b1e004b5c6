import type { Difference } from '../../platform/database/catalogue.ts'
import type { Pool } from '../../platform/database/database.ts'
import { isHarmless } from '../../platform/database/mend-catalogue.ts'
import { missingMigrations } from '../../platform/database/migrate.ts'
import { MEND_COMMAND, sentencesOf } from '../../platform/database/tell-differences.ts'
import { UNRECORDED } from '../../platform/http/request-record.ts'
import type { Server } from '../../platform/http/server.ts'
import type { BrokerPort } from '../../ports/broker.ts'
import type { ImageCheckPort } from '../../ports/image-check.ts'
import type { MailPort } from '../../ports/mail.ts'
import type { MediaPort } from '../../ports/media.ts'
import type { ObjectStoragePort } from '../../ports/object-storage.ts'
import { atMostEvery } from './at-most-every.ts'
import { schemaCheck } from './schema-check.ts'
import { NotWritable, writeCheck } from './write-check.ts'

export interface HealthNeeds {
  pool: Pool
  mail: MailPort
  broker: BrokerPort
  storage: Pick<ObjectStoragePort, 'check'>
  /** Its files are in the data folder of this node: where that takes no writes, the disk is full, read-only or gone. */
  storageIsFolder?: boolean
  imageCheck: Pick<ImageCheckPort, 'ready'>
  media: Pick<MediaPort, 'check'>
  /** Why this node may serve no requests, though all its parts are well; undefined where it may. */
  notThisNode?: () => string | undefined
  isDraining: () => boolean
  /** Told of each answer, but those of a node that was told to stop. */
  onAnswered?: (isReady: boolean) => void
}

type PartState = 'ok' | 'degraded' | 'down'

const DATABASE_WITHIN_MS = 1_000
const PART_WITHIN_MS = 1_000
const SCHEMA_WITHIN_MS = 1_500
/** The routes are open to all, and no number of requests makes this node write more. */
const WRITE_EVERY_MS = 1_000
const SAID = 5

/** In words for the operator, and without the address: the routes are open to all. */
const SILENT = `The database of DATABASE_URL, or of DATA_DIR, does not answer within ${DATABASE_WITHIN_MS / 1_000} s`
const NOT_MIGRATED = 'The schema of the database is not that of this release yet: run npx atrium migrate'

/**
 * `/health/live`: the process turns its loop. `/health/ready`: it can do its work, that is the database and the data
 * folder take what is written, the schema is up to date and the node is not told to stop. Parts that only some
 * operations need are named as degraded and leave it ready.
 */
export function serveHealth(server: Server, needs: HealthNeeds): void {
  const lookAtDatabase = databaseCheck(needs.pool)
  const checkStorage = atMostEvery(WRITE_EVERY_MS, () => needs.storage.check())
  // the schema is looked at once: the first request need not wait for that
  server.addHook('onReady', async () => {
    await within(DATABASE_WITHIN_MS, databaseIsReady(needs.pool))
  })
  server.get('/health/live', { config: UNRECORDED }, async () => ({ status: 'live' }))
  server.get('/health/ready', { config: UNRECORDED }, async (_request, reply) => {
    const [{ database, faults }, mail, broker, storage, imageCheck, media] = await Promise.all([
      lookAtDatabase(),
      outcomeOf(needs.mail.check()),
      outcomeOf(needs.broker.check()),
      outcomeOf(checkStorage()),
      outcomeOf(needs.imageCheck.ready()),
      outcomeOf(needs.media.check()),
    ])
    const folderFault = needs.storageIsFolder && storage instanceof Error ? storage : undefined
    const parts: Record<string, PartState> = {
      database,
      mail: mail === 'ok' ? 'ok' : 'degraded',
      broker: broker === 'ok' ? 'ok' : 'degraded',
      storage: storage === 'ok' ? 'ok' : folderFault ? 'down' : 'degraded',
      imageCheck: imageCheck === 'ok' ? 'ok' : 'degraded',
      media: media === 'ok' ? 'ok' : 'degraded',
    }
    const elsewhere = needs.notThisNode?.()
    const isReady = !Object.values(parts).includes('down') && elsewhere === undefined
    if (!needs.isDraining()) needs.onAnswered?.(isReady)
    const status = needs.isDraining() ? 'draining' : isReady ? 'ready' : 'not-ready'
    const problems = [
      ...(elsewhere ? [elsewhere] : []),
      ...(folderFault ? [sentenceOfFolder(folderFault)] : []),
      ...faults,
    ]
    return reply
      .status(status === 'ready' ? 200 : 503)
      .send({ status, parts, ...(problems.length > 0 && { problems }) })
  })
}

/** A part that is only late may be busy. */
async function outcomeOf(part: Promise<void>): Promise<'ok' | 'late' | Error> {
  const answer = part.then(
    () => 'ok' as const,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  )
  return await inTime<'ok' | 'late' | Error>(PART_WITHIN_MS, answer, 'late')
}

function sentenceOfFolder({ cause }: Error): string {
  const { code } = (cause ?? {}) as { code?: unknown }
  const word = typeof code === 'string' ? ` (${code})` : ''
  return `The data folder takes no files${word}: its disk is full or read-only, or another folder was put in its place. Check DATA_DIR`
}

function sentenceOfDatabase(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown }
  const word = typeof code === 'string' ? ` (${code})` : ''
  return `The database of DATABASE_URL, or of DATA_DIR, is away or refuses this node${word}`
}

interface DatabaseState {
  database: PartState
  /** In words for the operator. */
  faults: string[]
}

/** Whether the database takes writes, and has the schema that the migrations make. */
function databaseCheck(pool: Pool): () => Promise<DatabaseState> {
  const checkSchema = schemaCheck(pool)
  const write = atMostEvery(WRITE_EVERY_MS, writeCheck(pool))
  const look = async (): Promise<true | string> => {
    try {
      if (!(await databaseIsReady(pool))) return NOT_MIGRATED
      // what was written a moment ago says nothing of now: it is asked each time
      await Promise.all([pool.query('select 1'), write()])
      return true
    } catch (error) {
      return error instanceof NotWritable ? error.message : sentenceOfDatabase(error)
    }
  }
  return async () => {
    const isWell = await inTime(DATABASE_WITHIN_MS, look(), SILENT)
    if (isWell !== true) return { database: 'down', faults: [isWell] }
    const differences = await inTime(SCHEMA_WITHIN_MS, checkSchema(), [])
    return { database: stateOf(differences), faults: problemsOf(differences) }
  }
}

function stateOf(differences: readonly Difference[]): PartState {
  if (differences.length === 0) return 'ok'
  return differences.every(isHarmless) ? 'degraded' : 'down'
}

function problemsOf(differences: readonly Difference[]): string[] {
  if (differences.length === 0) return []
  return [...sentencesOf(differences, SAID), `Mend it with: ${MEND_COMMAND}`]
}

let upToDate = new WeakSet<Pool>()

async function databaseIsReady(pool: Pool): Promise<boolean> {
  if (upToDate.has(pool)) return true
  const missing = await missingMigrations(pool)
  if (missing.length === 0) upToDate = upToDate.add(pool)
  return missing.length === 0
}

/** False where the answer is no, an error, or late. */
function within(milliseconds: number, answer: Promise<boolean>): Promise<boolean> {
  return inTime(milliseconds, answer, false)
}

/** `otherwise` where the answer is an error, or late. */
async function inTime<Answer>(
  milliseconds: number,
  answer: Promise<Answer>,
  otherwise: Answer,
): Promise<Answer> {
  const late = Promise.withResolvers<Answer>()
  const timer = setTimeout(() => late.resolve(otherwise), milliseconds)
  try {
    return await Promise.race([answer, late.promise])
  } catch {
    return otherwise
  } finally {
    clearTimeout(timer)
  }
}
