import { type Generated, type GeneratedAlways, sql } from 'kysely'
import type { MailMessage, MailPort } from '../../ports/mail.ts'
import { pause } from '../background/pause.ts'
import { type Clock, secondsAfter } from '../clock.ts'
import type { Db } from '../database/database.ts'
import type { OrganizationId } from '../ids.ts'
import type { Log } from '../log.ts'
import { ProviderFailure } from '../refusal.ts'
import { type KeyRing, open, type SealingContext, seal } from '../secrets/sealed-column.ts'

declare module '../database/database.ts' {
  interface Tables {
    mail_queue: {
      id: GeneratedAlways<string>
      sealed_message: Buffer
      mail_class: MailClass
      /** Whose turn the mail takes; 0: of no organization. */
      organization_id: string
      created_at: Date
      not_after: Date
      next_attempt_at: Date
      attempts: Generated<number>
    }
  }
}

/**
 * What a mail is, by how long it can wait. `code`: somebody sits before an empty field, also where the mail says that
 * there is no code for them. `invitation`: many at once, and nobody waits.
 */
export type MailClass = 'code' | 'invitation'

/** What the queue has to know of a mail that is sealed. */
export interface Posting {
  mailClass: MailClass
  /** Organizations take turns; without one, all mails of the class wait in one line. */
  organization?: OrganizationId
  now: Date
  /** It is not sent any more after this. */
  notAfter: Date
}

export interface MailQueueNeeds {
  db: Db
  ring: KeyRing
  mail: MailPort
  clock: Clock
  log: Pick<Log, 'debug' | 'info' | 'warn' | 'error'>
  /** Aborted: no further mail is begun. */
  signal?: AbortSignal
}

/**
 * So many mails of each class are on their way at a time. No class takes a lane of another: however many mails one has,
 * and however slow the mail server is, a code finds its own lanes empty.
 */
const LANES: Record<MailClass, number> = { code: 3, invitation: 2 }
export const MAIL_CLASSES = Object.keys(LANES) as MailClass[]
/** How many connections to the mail server keep no mail of a node waiting. */
export const PARALLEL_MAILS = MAIL_CLASSES.reduce((sum, mailClass) => sum + LANES[mailClass], 0)
/** A mail that is not taken within this counts as failed; it may then arrive twice. */
const SEND_WITHIN_MS = 45_000
/** How long a claimed mail is left to the node that claimed it; if that one dies, another takes it up. */
const LEASE_SECONDS = 60
const FIRST_RETRY_SECONDS = 2
const LAST_RETRY_SECONDS = 60

/** Puts a mail into the queue, sealed; in a transaction it leaves when that commits, else at once. */
export async function queueMail(
  db: Db,
  ring: KeyRing,
  message: MailMessage,
  posting: Posting,
): Promise<void> {
  await queueMails(db, ring, [message], posting)
}

/** The same for many, in one statement. */
export async function queueMails(
  db: Db,
  ring: KeyRing,
  messages: readonly MailMessage[],
  { mailClass, organization, now, notAfter }: Posting,
): Promise<void> {
  const context = contextOf({ created_at: now, not_after: notAfter })
  const sealed = messages.map((message) => seal(ring, JSON.stringify(message), context))
  await sql`
    insert into mail_queue (sealed_message, mail_class, organization_id, created_at, not_after, next_attempt_at)
    select sealed, ${mailClass}, ${organization ?? '0'}::bigint,
      ${now}::timestamptz, ${notAfter}::timestamptz, ${now}::timestamptz
    from unnest(${sealed}::bytea[]) sealed`.execute(db)
}

interface Drain {
  running: Promise<void>
  /** The full pass that begins after the one that runs: shared by all who asked during that one. */
  next: Promise<void> | undefined
}

const drains = new WeakMap<Db, Map<MailClass, Drain>>()

/**
 * Delivers every mail that is due, each at least once: every class in lanes of its own.
 * A mail that fails is tried again after 2 s … 60 s until its `notAfter`; one that is refused for good is dropped.
 * @throws whatever the database throws; never because of a mail
 */
export async function drainMailQueue(needs: MailQueueNeeds): Promise<void> {
  await allOf(MAIL_CLASSES.map((mailClass) => drainMailClass(needs, mailClass)))
}

/**
 * The same for one class. One pass at a time per process and database: a call during a pass resolves after one more
 * full pass, so that what was queued before the call has been tried.
 */
export function drainMailClass(needs: MailQueueNeeds, mailClass: MailClass): Promise<void> {
  const ofDatabase = drains.get(needs.db) ?? new Map<MailClass, Drain>()
  drains.set(needs.db, ofDatabase)
  const begin = () => beginPass(needs, mailClass, ofDatabase)
  const drain = ofDatabase.get(mailClass)
  if (!drain) return begin()
  drain.next ??= drain.running.catch(() => {}).then(begin)
  return drain.next
}

function beginPass(
  needs: MailQueueNeeds,
  mailClass: MailClass,
  ofDatabase: Map<MailClass, Drain>,
): Promise<void> {
  const running = onePass(needs, mailClass).finally(() => {
    const drain = ofDatabase.get(mailClass)
    if (drain?.running === running && !drain.next) ofDatabase.delete(mailClass)
  })
  ofDatabase.set(mailClass, { running, next: undefined })
  return running
}

/** Where a pass is in the round of organizations: its lanes go on from the one that was served last. */
interface Round {
  mailClass: MailClass
  lastServed: string
}

async function onePass(needs: MailQueueNeeds, mailClass: MailClass): Promise<void> {
  const round: Round = { mailClass, lastServed: '0' }
  const first = await claimNext(needs, round)
  if (!first) return
  await allOf(
    Array.from({ length: LANES[mailClass] }, (_, lane) =>
      runLane(needs, round, lane === 0 ? first : undefined),
    ),
  )
}

/** Whoever fails does not leave the others running behind our back. */
async function allOf(work: readonly Promise<void>[]): Promise<void> {
  const outcomes = await Promise.allSettled(work)
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}

async function runLane(needs: MailQueueNeeds, round: Round, claimed?: QueuedMail): Promise<void> {
  let queued = claimed ?? (await claimNext(needs, round))
  while (queued) {
    await deliver(needs, queued)
    queued = await claimNext(needs, round)
  }
}

interface QueuedMail {
  id: string
  sealed_message: Buffer
  organization_id: string
  created_at: Date
  not_after: Date
  attempts: number
}

/**
 * Takes the next due mail for a while: of the next organization that has one, after the last one the first again.
 * A statement of its own: no transaction is open while a mail is sent.
 */
async function claimNext(
  { db, clock, signal }: MailQueueNeeds,
  round: Round,
): Promise<QueuedMail | undefined> {
  if (signal?.aborted) return undefined
  const now = clock.now()
  const dueAfter = (organization: string) => sql`(
    select id from mail_queue
    where mail_class = ${round.mailClass} and organization_id > ${organization}::bigint and next_attempt_at <= ${now}
    order by organization_id, next_attempt_at, id limit 1 for update skip locked
  )`
  const { rows } = await sql<QueuedMail>`
    update mail_queue set attempts = attempts + 1, next_attempt_at = ${secondsAfter(now, LEASE_SECONDS)}
    where id = coalesce(${dueAfter(round.lastServed)}, ${dueAfter('-1')})
    returning id, sealed_message, organization_id, created_at, not_after, attempts`.execute(db)
  if (rows[0]) round.lastServed = rows[0].organization_id
  return rows[0]
}

async function deliver(needs: MailQueueNeeds, queued: QueuedMail): Promise<void> {
  const { log } = needs
  const line = { mail: queued.id, attempts: queued.attempts }
  if (queued.not_after <= needs.clock.now()) {
    log.warn(line, 'mail dropped: not sent before it expired')
    return remove(needs.db, queued.id)
  }
  const error = await trySend(needs, queued)
  if (error === undefined) {
    log.debug(line, 'mail sent')
    return remove(needs.db, queued.id)
  }
  if (error instanceof ProviderFailure && !error.retryable) {
    log.warn({ ...line, ...withoutContent(error) }, 'mail dropped: refused for good')
    return remove(needs.db, queued.id)
  }
  log.warn({ ...line, ...withoutContent(error) }, 'mail not sent, to be tried again')
  const retryAt = secondsAfter(needs.clock.now(), retrySeconds(queued.attempts))
  await needs.db
    .updateTable('mail_queue')
    .set({ next_attempt_at: retryAt })
    .where('id', '=', queued.id)
    .where('attempts', '=', queued.attempts)
    .execute()
}

async function trySend({ ring, mail }: MailQueueNeeds, queued: QueuedMail): Promise<unknown> {
  const done = new AbortController()
  const late = pause(SEND_WITHIN_MS, done.signal).then(() => new Error('the mail was not taken in time'))
  try {
    const message: MailMessage = JSON.parse(open(ring, queued.sealed_message, contextOf(queued)).toString())
    return await Promise.race([mail.send(message).then(() => undefined), late])
  } catch (error) {
    return error ?? new Error('no reason given')
  } finally {
    done.abort()
  }
}

async function remove(db: Db, id: string): Promise<void> {
  await db.deleteFrom('mail_queue').where('id', '=', id).execute()
}

function retrySeconds(attempts: number): number {
  return Math.min(FIRST_RETRY_SECONDS * 2 ** (attempts - 1), LAST_RETRY_SECONDS)
}

/** Bound to its times, so that nobody who can write the table can send an old mail again. */
function contextOf(times: { created_at: Date; not_after: Date }): SealingContext {
  return ['mail_queue.sealed_message', times.created_at.toISOString(), times.not_after.toISOString()]
}

/** What may be logged of a failure. Not its message: mail servers repeat addresses and subjects in theirs. */
function withoutContent(error: unknown): Record<string, unknown> {
  const { code } = ((error instanceof ProviderFailure ? error.cause : error) ?? {}) as { code?: unknown }
  return {
    failure: error instanceof Error ? error.name : 'unknown',
    ...(error instanceof ProviderFailure ? { provider: error.provider, action: error.action } : {}),
    ...(typeof code === 'string' && /^[A-Z0-9_. ]{1,40}$/.test(code) ? { errorCode: code } : {}),
  }
}
