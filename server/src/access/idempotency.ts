import { randomUUID } from 'node:crypto'
import { type Clock, secondsAfter } from '../platform/clock.ts'
import type { Db } from '../platform/database/database.ts'
import type { Log } from '../platform/log.ts'
import { Refusal } from '../platform/refusal.ts'
import { type KeyRing, open, seal } from '../platform/secrets/sealed-column.ts'
import { keyedHash } from '../platform/secrets/secret.ts'
import type { SignedInCaller } from './caller.ts'
import { giveKeyBack, type IdempotentRequest, keepReply, takeKey } from './idempotency-store.ts'

/** Longer than a request may take: after it, the process that ran it is dead. */
const LEASE_SECONDS = 60
/** How long a reply is kept. */
export const KEPT_SECONDS = 24 * 60 * 60
/** What a header may carry; 255 characters at most. */
const KEY = /^[\x20-\x7e]{1,255}$/
const PURPOSE = 'idempotent_replies.sealed_body'

export interface IdempotencyNeeds {
  db: Db
  clock: Clock
  log: Pick<Log, 'warn'>
  /** Seals the replies: they hold what their handler has answered. */
  ring: KeyRing
  /** Keys the hashes of keys and inputs. */
  hashKey: Uint8Array
}

interface Answer {
  status: number
  body?: unknown
}

/**
 * Runs a request once for each Idempotency-Key of its operation, person and organization: who sends the same again
 * gets the reply of the first. Refusals are not kept: the next one runs.
 * @param key the header as it came
 * @throws Refusal invalid where the key is no key; unprocessable where it came with other input before; conflict while
 *   the first is under way; and whatever `work` throws
 */
export async function runOnce(
  needs: IdempotencyNeeds,
  asked: { operation: string; caller: SignedInCaller; key: string; input: unknown },
  work: () => Promise<Answer>,
): Promise<Answer & { replayed: boolean }> {
  if (!KEY.test(asked.key)) throw invalidKey()
  const { user, organization } = asked.caller
  const hash = (...parts: string[]) => keyedHash(needs.hashKey, asked.operation, ...parts)
  const request: IdempotentRequest = {
    operation: asked.operation,
    user: user.id,
    organization: organization?.id,
    keyHash: hash(user.id, organization?.id ?? '', asked.key),
  }
  const context = [PURPOSE, request.keyHash.toString('hex')] as const
  const now = needs.clock.now()
  const lease = randomUUID()
  const inputHash = hash(canonicalJson(asked.input))
  const first = await takeKey(needs.db, request, {
    ...{ inputHash, lease, now },
    leaseUntil: secondsAfter(now, LEASE_SECONDS),
    keptSince: secondsAfter(now, -KEPT_SECONDS),
  })
  if (first) {
    if (!first.inputHash.equals(inputHash)) throw reusedKey()
    if (first.status === null || !first.sealedBody) throw underWay()
    const { body } = JSON.parse(open(needs.ring, first.sealedBody, context).toString()) as { body?: unknown }
    return { status: first.status, body, replayed: true }
  }
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

/** What was done is done: that its reply cannot be kept is no reason to answer otherwise. The lease ends by itself. */
function tellNotKept(log: Pick<Log, 'warn'>, { operation }: IdempotentRequest) {
  return (err: unknown) => log.warn({ err, operation }, 'the reply of an Idempotency-Key could not be kept')
}

/** The same text for the same value, in whatever order its fields came. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  )
}

function invalidKey(): Refusal {
  return new Refusal('invalid', 'An Idempotency-Key has 1 to 255 characters of ASCII', {
    error: 'invalid-idempotency-key',
  })
}

function reusedKey(): Refusal {
  return new Refusal('unprocessable', 'This Idempotency-Key was used with other input; take a new one', {
    error: 'idempotency-key-reused',
  })
}

function underWay(): Refusal {
  return new Refusal('conflict', 'The first request with this Idempotency-Key is still under way', {
    error: 'idempotency-key-in-use',
  })
}
