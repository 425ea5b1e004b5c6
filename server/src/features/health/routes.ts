import type { Difference } from '../../platform/database/catalogue.ts'
import type { Pool } from '../../platform/database/database.ts'
import { isHarmless } from '../../platform/database/mend-catalogue.ts'
import { missingMigrations } from '../../platform/database/migrate.ts'
import { MEND_COMMAND, sentencesOf } from '../../platform/database/tell-differences.ts'
import type { Server } from '../../platform/http/server.ts'
import type { BrokerPort } from '../../ports/broker.ts'
import type { ImageCheckPort } from '../../ports/image-check.ts'
import type { MailPort } from '../../ports/mail.ts'
import type { MediaPort } from '../../ports/media.ts'
import type { ObjectStoragePort } from '../../ports/object-storage.ts'
import { schemaCheck } from './schema-check.ts'

export interface HealthNeeds {
  pool: Pool
  mail: MailPort
  broker: BrokerPort
  storage: Pick<ObjectStoragePort, 'check'>
  imageCheck: Pick<ImageCheckPort, 'ready'>
  media: Pick<MediaPort, 'check'>
  /** Why this node may serve nobody, though all its parts are well; undefined where it may. */
  notThisNode?: () => string | undefined
  isDraining: () => boolean
}

type PartState = 'ok' | 'degraded' | 'down'

const DATABASE_WITHIN_MS = 1_000
const PART_WITHIN_MS = 1_000
const SCHEMA_WITHIN_MS = 1_500
const SAID = 5

/**
 * `/health/live`: the process turns its loop. `/health/ready`: it can do its work, that is the database answers
 * with an up-to-date schema and nobody has told it to stop. Parts that only some operations need are named as
 * degraded and leave it ready.
 */
export function serveHealth(server: Server, needs: HealthNeeds): void {
  const checkSchema = schemaCheck(needs.pool)
  const lookAtDatabase = async (): Promise<[boolean, readonly Difference[]]> => {
    const isReady = await within(DATABASE_WITHIN_MS, databaseIsReady(needs.pool))
    return [isReady, isReady ? await inTime(SCHEMA_WITHIN_MS, checkSchema(), []) : []]
  }
  // the schema is looked at once: whoever asks first need not wait for that
  server.addHook('onReady', async () => {
    await within(DATABASE_WITHIN_MS, databaseIsReady(needs.pool))
  })
  server.get('/health/live', async () => ({ status: 'live' }))
  server.get('/health/ready', async (_request, reply) => {
    const answers = (part: Promise<void>) =>
      within(
        PART_WITHIN_MS,
        part.then(() => true),
      )
    const [[database, differences], mail, broker, storage, imageCheck, media] = await Promise.all([
      lookAtDatabase(),
      answers(needs.mail.check()),
      answers(needs.broker.check()),
      answers(needs.storage.check()),
      answers(needs.imageCheck.ready()),
      answers(needs.media.check()),
    ])
    const parts: Record<string, PartState> = {
      database: database ? stateOf(differences) : 'down',
      mail: mail ? 'ok' : 'degraded',
      broker: broker ? 'ok' : 'degraded',
      storage: storage ? 'ok' : 'degraded',
      imageCheck: imageCheck ? 'ok' : 'degraded',
      media: media ? 'ok' : 'degraded',
    }
    const elsewhere = needs.notThisNode?.()
    const isReady = parts.database !== 'down' && elsewhere === undefined
    const status = needs.isDraining() ? 'draining' : isReady ? 'ready' : 'not-ready'
    const problems = [...(elsewhere ? [elsewhere] : []), ...problemsOf(differences)]
    return reply
      .status(status === 'ready' ? 200 : 503)
      .send({ status, parts, ...(problems.length > 0 && { problems }) })
  })
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
  if (upToDate.has(pool)) {
    await pool.query('select 1')
    return true
  }
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
