import { type Generated, type GeneratedAlways, sql } from 'kysely'
import type { MailMessage, MailPort } from '../ports/mail.ts'
import { type Clock, secondsAfter } from './clock.ts'
import type { Db } from './database/database.ts'
import type { Log } from './log.ts'
import type { Notifications } from './notifications.ts'
import { pause } from './pause.ts'
import { ProviderFailure } from './refusal.ts'
import { type KeyRing, open, type SealingContext, seal } from './sealed-column.ts'

declare module './database/database.ts' {
  interface Tables {
    mail_queue: {
      id: GeneratedAlways<string>
      sealed_message: Buffer
      created_at: Date
      not_after: Date
      next_attempt_at: Date
      attempts: Generated<number>
    }
  }
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

export interface MailDelivery {
  /** Delivers what is due now. See `drainMailQueue`. */
  drain(): Promise<void>
  /** Begins no further mail and waits for those on their way, up to 10 s. */
  stop(): Promise<void>
}

const PARALLEL_MAILS = 5
/** A mail that is not taken within this counts as failed; it may then arrive twice. */
const SEND_WITHIN_MS = 45_000
/** How long a claimed mail is left to the node that claimed it; if that one dies, another takes it up. */
const LEASE_SECONDS = 60
const FIRST_RETRY_SECONDS = 2
const LAST_RETRY_SECONDS = 60
const STOP_WITHIN_MS = 10_000

/** Puts a mail into the queue, sealed; in a transaction it leaves when that commits, else at once. */
export async function queueMail(
  db: Db,
  ring: KeyRing,
  message: MailMessage,
  times: { now: Date; notAfter: Date },
): Promise<void> {
  await queueMails(db, ring, [message], times)
}

/** The same for many, in one statement. */
export async function queueMails(
  db: Db,
  ring: KeyRing,
  messages: readonly MailMessage[],
  { now, notAfter }: { now: Date; notAfter: Date },
): Promise<void> {
  const context = contextOf({ created_at: now, not_after: notAfter })
  const sealed = messages.map((message) => seal(ring, JSON.stringify(message), context))
  await sql`
    insert into mail_queue (sealed_message, created_at, not_after, next_attempt_at)
    select sealed, ${now}::timestamptz, ${notAfter}::timestamptz, ${now}::timestamptz
    from unnest(${sealed}::bytea[]) sealed`.execute(db)
}

interface Drain {
  running: Promise<void>
  /** The full pass that begins after the one that runs: shared by all who asked during that one. */
  next: Promise<void> | undefined
}

const drains = new WeakMap<Db, Drain>()

/**
 * Delivers every mail that is due, each at least once. One pass at a time per process and database: a call
 * during a pass resolves after one more full pass, so that what was queued before the call has been tried.
 * A mail that fails is tried again after 2 s … 60 s until its `notAfter`; one that is refused for good is dropped.
 * @throws whatever the database throws; never because of a mail
 */
export function drainMailQueue(needs: MailQueueNeeds): Promise<void> {
  const drain = drains.get(needs.db)
  if (drain?.next) return drain.next
  if (drain) {
    drain.next = drain.running.catch(() => {}).then(() => beginPass(needs))
    return drain.next
  }
  return beginPass(needs)
}

function beginPass(needs: MailQueueNeeds): Promise<void> {
  const running = onePass(needs).finally(() => {
    if (drains.get(needs.db)?.running === running && !drains.get(needs.db)?.next) drains.delete(needs.db)
  })
  drains.set(needs.db, { running, next: undefined })
  return running
}

async function onePass(needs: MailQueueNeeds): Promise<void> {
  const first = await claimNext(needs)
  if (!first) return
  const lanes = Array.from({ length: PARALLEL_MAILS }, (_, lane) =>
    runLane(needs, lane === 0 ? first : undefined),
  )
  // a lane that fails does not leave the others running behind our back
  const outcomes = await Promise.allSettled(lanes)
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}

async function runLane(needs: MailQueueNeeds, claimed?: QueuedMail): Promise<void> {
  let queued = claimed ?? (await claimNext(needs))
  while (queued) {
    await deliver(needs, queued)
    queued = await claimNext(needs)
  }
}

interface QueuedMail {
  id: string
  sealed_message: Buffer
  created_at: Date
  not_after: Date
  attempts: number
}

/** Takes the next due mail for a while. A statement of its own: no transaction is open while a mail is sent. */
async function claimNext({ db, clock, signal }: MailQueueNeeds): Promise<QueuedMail | undefined> {
  if (signal?.aborted) return undefined
  const now = clock.now()
  const { rows } = await sql<QueuedMail>`
    update mail_queue set attempts = attempts + 1, next_attempt_at = ${secondsAfter(now, LEASE_SECONDS)}
    where id = (
      select id from mail_queue where next_attempt_at <= ${now}
      order by next_attempt_at, id limit 1 for update skip locked
    )
    returning id, sealed_message, created_at, not_after, attempts`.execute(db)
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

/** Delivers in the background: when a mail is queued on any node, and every `everyMs` milliseconds (2000). */
export function startMailDelivery(
  options: Omit<MailQueueNeeds, 'signal'> & { notifications: Pick<Notifications, 'on'>; everyMs?: number },
): MailDelivery {
  const stopping = new AbortController()
  const needs: MailQueueNeeds = { ...options, signal: stopping.signal }
  const drain = () => drainMailQueue(needs)
  const wake = async () => {
    if (stopping.signal.aborted) return
    await drain().catch((err: unknown) => options.log.warn({ err }, 'mail queue cannot be read'))
  }
  const repeat = async () => {
    while (!stopping.signal.aborted) {
      await wake()
      await pause(options.everyMs ?? 2_000, stopping.signal)
    }
  }
  options.notifications.on('mail_queued', () => void wake())
  const repeating = repeat()
  const stop = async () => {
    stopping.abort()
    const waited = new AbortController()
    await Promise.race([
      Promise.all([repeating, drain().catch(() => {})]),
      pause(STOP_WITHIN_MS, waited.signal),
    ])
    waited.abort()
  }
  return { drain, stop }
}
