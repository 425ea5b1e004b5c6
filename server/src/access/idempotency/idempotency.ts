import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { type Clock, DAY_SECONDS, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import type { Log } from '../../platform/log.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type KeyRing, open, seal, UnsealError } from '../../platform/secrets/sealed-column.ts'
import { passingColumn, type SealedPlace } from '../../platform/secrets/sealed-place.ts'
import { keyedHash, type RotatingKey } from '../../platform/secrets/secret.ts'
import type { BotCaller, SignedInCaller } from '../caller.ts'
import {
  findLiveReply,
  giveKeyBack,
  type IdempotentRequest,
  keepReply,
  type StoredReply,
  takeKey,
} from './idempotency-store.ts'

/** Longer than a request may take: after it, the process that ran it is dead. */
const LEASE_SECONDS = 60
/** How long a reply is kept. */
export const KEPT_SECONDS = DAY_SECONDS
/** What a header may carry; 255 characters at most. */
const KEY = /^[\x20-\x7e]{1,255}$/
const PURPOSE = 'idempotent_replies.sealed_body'

export interface IdempotencyNeeds {
  db: Db
  clock: Clock
  log: Pick<Log, 'warn'>
  /** Seals the replies: they hold what their handler has answered. */
  ring: KeyRing
  /** Key the hashes of keys and inputs. */
  hashKeys: RotatingKey
}

interface Asked {
  operation: string
  /** Whether it acts in the active organization. Any other operation is the same request in every organization. */
  isOfOrganization: boolean
  caller: SignedInCaller | BotCaller
  key: string
  input: unknown
}

interface Answer {
  status: number
  body?: unknown
}

/**
 * Runs a request once for each Idempotency-Key of its operation, person and organization: a repeated request gets the
 * reply of the first. Refusals are not kept: the next one runs.
 * @param key the header as it came
 * @throws Refusal invalid where the key is malformed; unprocessable where it came with other input before; conflict
 * while
 *   the first is under way; and what `work` throws
 */
export async function runOnce(
  needs: IdempotencyNeeds,
  asked: Asked,
  work: () => Promise<Answer>,
): Promise<Answer & { replayed: boolean }> {
  if (!KEY.test(asked.key)) throw Refusal.of('invalid-idempotency-key')
  const now = needs.clock.now()
  const lease = randomUUID()
  const { request, inputHash } = hashedBy(needs.hashKeys.current, asked)
  const times = { now, keptSince: secondsAfter(now, -KEPT_SECONDS) }
  const leaseUntil = secondsAfter(now, LEASE_SECONDS)
  const first = await takeKey(needs.db, request, { ...times, inputHash, lease, leaseUntil })
  if (first) return replayOf(needs, first, { request, inputHash })
  for (const earlier of needs.hashKeys.all.slice(1).map((key) => hashedBy(key, asked))) {
    // asked after the key was taken here: of two nodes that take it at once under two secrets, one sees the other
    const stored = await findLiveReply(needs.db, earlier.request, times)
    if (!stored) continue
    await giveKeyBack(needs.db, lease, request)
    return replayOf(needs, stored, earlier)
  }
  const context = contextOf(request)
  try {
    const { status, body } = await work()
    const sealedBody = seal(needs.ring, JSON.stringify({ body }), context)
    await keepReply(needs.db, lease, request, { status, sealedBody }).catch(tellNotKept(needs.log, request))
    return { status, body, replayed: false }
  } catch (error) {
    await giveKeyBack(needs.db, lease, request).catch(tellNotKept(needs.log, request))
    throw error
  }
}

interface Hashed {
  request: IdempotentRequest
  inputHash: Buffer
}

/** What is stored of a request, by one of the keys. */
function hashedBy(key: Uint8Array, asked: Asked): Hashed {
  const { user } = asked.caller
  const organization = asked.isOfOrganization ? asked.caller.organization : undefined
  const hash = (...parts: string[]) => keyedHash(key, asked.operation, ...parts)
  const keyHash = hash(user.id, organization?.id ?? '', asked.key)
  return {
    request: { operation: asked.operation, user: user.id, organization: organization?.id, keyHash },
    inputHash: hash(canonicalJson(asked.input)),
  }
}

function contextOf({ keyHash }: IdempotentRequest) {
  return [PURPOSE, keyHash.toString('hex')] as const
}

/** @throws Refusal where there is none to repeat */
function replayOf(
  { ring }: IdempotencyNeeds,
  first: StoredReply,
  { request, inputHash }: Hashed,
): Answer & { replayed: boolean } {
  if (!first.inputHash.equals(inputHash)) throw Refusal.of('idempotency-key-reused')
  if (first.status === null || !first.sealedBody) throw Refusal.of('idempotency-key-in-use')
  try {
    const { body } = JSON.parse(open(ring, first.sealedBody, contextOf(request)).toString())
    return { status: first.status, body, replayed: true }
  } catch (error) {
    if (error instanceof UnsealError) throw unreadableReply(error)
    throw error
  }
}

/** For the count of what each key still opens. */
export function sealedReplies(ring: KeyRing): SealedPlace {
  const endsAt = sql<Date>`created_at + make_interval(secs => ${KEPT_SECONDS})`
  const place = { ring, table: 'idempotent_replies', column: 'sealed_body', endsAt }
  return passingColumn({ name: 'replies to requests with an Idempotency-Key', ...place })
}

/** What was done is done: that its reply cannot be kept is no reason to answer otherwise. The lease ends by itself. */
function tellNotKept(log: Pick<Log, 'warn'>, { operation }: IdempotentRequest) {
  return (err: unknown) => log.warn({ err, operation }, 'the reply of an Idempotency-Key could not be kept')
}

/** The same text for the same value, in any order of its fields. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  )
}

function unreadableReply(cause: UnsealError): Refusal {
  return Refusal.of('idempotency-key-reused', {
    message:
      'The request with this Idempotency-Key was carried out, but its reply can no longer be read; use a new key',
    cause,
  })
}
