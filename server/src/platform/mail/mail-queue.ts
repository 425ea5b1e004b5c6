import { sql } from 'kysely'
import { describeBriefly } from '../background/work-failure.ts'
import { deleteWork, enqueue, listWork } from '../background/work-items.ts'
import { workQueue } from '../background/work-payload.ts'
import type { Work, WorkQueue } from '../background/work-queue.ts'
import type { Db } from '../database/database.ts'
import type { OrganizationId } from '../ids.ts'
import { ProviderFailure } from '../refusal.ts'
import { fits, type Static, Type } from '../schema.ts'
import { type KeyRing, open, type SealingContext, seal, UnsealError } from '../secrets/sealed-column.ts'
import { keyIdIn, type SealedPlace } from '../secrets/sealed-place.ts'
import { pause } from '../timing/pause.ts'
import type { MailMessage, SendMail } from './mail-message.ts'

/**
 * What a mail is, by how long it can wait. `code`: a person sits before an empty field, also where the mail says that
 * there is no code for them. `invitation`: many at once, and no person waits.
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
  /** Of whom it says something, beside its recipient. */
  about?: string
}

export const MAIL_QUEUE = 'mail'
/**
 * So many mails of each class are on their way at a time. No class takes a lane of another: however many mails one has,
 * and however slow the mail server is, a code finds its own lanes empty.
 */
const LANES: Record<MailClass, number> = { code: 3, invitation: 2 }
/** How many connections to the mail server keep no mail of a node waiting. */
export const PARALLEL_MAILS = Object.values(LANES).reduce((sum, lanes) => sum + lanes)
/** A mail that is not taken within this counts as failed; it may then arrive twice. */
const SEND_WITHIN_MS = 45_000

const Payload = Type.Object({
  /** Base64. */
  sealed: Type.String(),
  about: Type.Optional(Type.String()),
})
type Payload = Static<typeof Payload>

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
  { mailClass, organization, now, notAfter, about }: Posting,
): Promise<void> {
  const context = contextOfTimes(now, notAfter)
  const payloads = messages.map((message): Payload => {
    const sealed = seal(ring, JSON.stringify(message), context).toString('base64')
    return { sealed, ...(about === undefined ? {} : { about }) }
  })
  await enqueue(
    db,
    ...payloads.map((payload) => ({
      queue: MAIL_QUEUE,
      class: mailClass,
      ...(organization && { organization }),
      payload,
      now,
      expiresAt: notAfter,
    })),
  )
}

/**
 * Delivers mails, each at least once: every class in lanes of its own. A mail that fails is tried again after 2 s … 60 s
 * until its `notAfter`; one that is refused for good is dropped.
 */
export function mailQueue(needs: { ring: KeyRing; mail: { send: SendMail } }): WorkQueue {
  return workQueue({
    name: MAIL_QUEUE,
    lanes: LANES,
    retry: { firstSeconds: 2, lastSeconds: 60 },
    confidential: true,
    payload: Payload,
    async handle(work) {
      try {
        await send(needs, work)
      } catch (error) {
        if (!(error instanceof ProviderFailure) || error.retryable) throw error
        work.log.warn({ failure: describeBriefly(error) }, 'mail dropped: refused for good')
      }
    },
  })
}

async function send({ ring, mail }: Parameters<typeof mailQueue>[0], work: Work<Payload>): Promise<void> {
  const message = openMail(ring, work)
  const done = new AbortController()
  const late = pause(SEND_WITHIN_MS, done.signal).then(() => {
    if (!done.signal.aborted) throw new Error('the mail was not taken in time')
  })
  try {
    await Promise.race([mail.send(message), late])
  } finally {
    done.abort()
  }
}

type Posted = Pick<Work<Payload>, 'payload' | 'createdAt' | 'expiresAt'>

function openMail(ring: KeyRing, { payload: { sealed }, createdAt, expiresAt }: Posted): MailMessage {
  const context = contextOfTimes(createdAt, expiresAt as Date)
  return JSON.parse(open(ring, Buffer.from(sealed, 'base64'), context).toString())
}

/** Takes mails out of the queue that go to one of these addresses, hold one of them, or are about a person. */
export async function withdrawMails(
  needs: { db: Db; ring: KeyRing },
  { addresses, until, about }: { addresses: readonly string[]; until: Date; about: string },
): Promise<void> {
  for await (const items of listWork(needs.db, MAIL_QUEUE)) {
    const isMeant = ({ payload, ...times }: Omit<Posted, 'payload'> & { payload: unknown }) => {
      if (!fits(Payload, payload)) return false
      const item = { ...times, payload }
      if (payload.about === about) return true
      if (item.createdAt > until) return false
      const text = readMail(needs.ring, item)?.toLowerCase()
      return text !== undefined && addresses.some((address) => text.includes(address))
    }
    await deleteWork(
      needs.db,
      items.filter(isMeant).map(({ id }) => id),
    )
  }
}

/** Undefined where it was sealed under a SECRET_KEY that is no longer ours: it is never sent either. */
function readMail(ring: KeyRing, item: Posted): string | undefined {
  try {
    return JSON.stringify(openMail(ring, item))
  } catch (error) {
    if (error instanceof UnsealError) return undefined
    throw error
  }
}

/** For resealing: they may wait for as long as the mail server is away. */
export function sealedMails(ring: KeyRing): SealedPlace {
  const sealed = sql<Buffer>`case when queue = ${MAIL_QUEUE} then decode(payload ->> 'sealed', 'base64') end`
  const put = (value: Buffer) => {
    const payload: Payload = { sealed: value.toString('base64') }
    return sql`payload = payload || ${JSON.stringify(payload)}::jsonb`
  }
  const contextOf = (row: Record<string, unknown>) =>
    contextOfTimes(row.created_at as Date, row.expires_at as Date)
  return {
    name: 'mails that wait',
    ring,
    table: 'work_items',
    keyId: keyIdIn(sealed),
    reseal: { key: ['id', 'created_at', 'expires_at'], sealed, contextOf, put },
  }
}

/** Bound to its times, so that a writer of the table cannot send an old mail again. */
function contextOfTimes(createdAt: Date, notAfter: Date): SealingContext {
  // the purpose names the table in which mails waited first: those of the release before still open
  return ['mail_queue.sealed_message', createdAt.toISOString(), notAfter.toISOString()]
}
