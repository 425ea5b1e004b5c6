import { isIPv6 } from 'node:net'
import type { Operation } from '@atrium/contract'
import { normalizeEmail } from '../directory/email-address.ts'
import type { Pool } from '../platform/database/database.ts'
import type { Log } from '../platform/log.ts'
import { type Limiter, nodeLimiter, sharedLimiter, type Taken } from '../platform/rate-limit.ts'
import { Refusal } from '../platform/refusal.ts'
import type { AnyCaller } from './caller.ts'

/** What each budget allows; 0: no limit. */
export interface BudgetSizes {
  codesPerEmail: number
  signInPerAddress: number
  guessesPerAddress: number
  guestPerAddress: number
  perUser: number
}

/** What is left of the tightest budget that a call drew on, for the RateLimit headers. */
export type TellLimit = (taken: Taken) => void

export interface Budgets {
  /** Before the body: budgets of addresses and users. @throws Refusal too-many */
  enter(declared: Operation, caller: AnyCaller, tell: TellLimit): Promise<void>
  /** After the body: budgets that depend on what it says. @throws Refusal too-many */
  examine(declared: Operation, input: Record<string, unknown>, tell: TellLimit): Promise<void>
  /** A call of a person that is no operation: with a token of the chat data. @throws Refusal too-many */
  call(userId: string, tell: TellLimit): Promise<void>
  /** After an answer that was worth several calls: takes the others, as far as there are any. */
  charge(userId: string, calls: number): Promise<void>
  /** After a refusal: a credential that did not fit was a guess. */
  refused(declared: Operation, caller: AnyCaller, error: unknown): Promise<void>
}

const MINUTE = 60
const HOUR = 60 * 60

/** Budgets per e-mail and address are counted by all nodes together; the broad one per user by each node. */
export function makeBudgets(needs: { pool: Pool; log: Log; sizes: BudgetSizes }): Budgets {
  const { pool, sizes } = needs
  const onStoreError = (error: unknown) =>
    needs.log.warn({ err: error }, 'rate limits are counted by this node alone')
  const shared = (name: string, points: number, seconds: number) =>
    sharedLimiter({ pool, name, points, seconds, onStoreError })
  const codes = shared('codes-per-email', sizes.codesPerEmail, MINUTE)
  const signIns = shared('sign-in-per-address', sizes.signInPerAddress, MINUTE)
  const guesses = shared('guesses-per-address', sizes.guessesPerAddress, HOUR)
  const guests = shared('guest-per-address', sizes.guestPerAddress, MINUTE)
  const calls = nodeLimiter({ name: 'calls-per-user', points: sizes.perUser, seconds: MINUTE })

  return {
    async enter(declared, caller, tell) {
      const network = networkOf(caller.address)
      if ('user' in caller) await draw(calls, caller.user.id, tell)
      if (declared.budgets?.includes('sign-in-per-address')) await draw(signIns, network, tell)
      if (declared.budgets?.includes('guest-per-address')) await draw(guests, network, tell)
      if (declared.budgets?.includes('guesses-per-address')) requireLeft(await guesses.take(network, 0), tell)
    },
    async examine(declared, input, tell) {
      if (!declared.budgets?.includes('codes-per-email')) return
      const email = typeof input.email === 'string' ? normalizeEmail(input.email) : undefined
      if (email) await draw(codes, email, tell)
    },
    call: (userId, tell) => draw(calls, userId, tell),
    async charge(userId, more) {
      await calls.take(userId, more)
    },
    async refused(declared, caller, error) {
      if (!declared.budgets?.includes('guesses-per-address')) return
      if (error instanceof Refusal && error.kind === 'invalid') await guesses.take(networkOf(caller.address))
    },
  }
}

async function draw(limiter: Limiter, key: string, tell: TellLimit): Promise<void> {
  requireLeft(await limiter.take(key), tell)
}

function requireLeft(taken: Taken, tell: TellLimit): void {
  if (taken.limit > 0) tell(taken)
  if (taken.allowed) return
  throw new Refusal('too-many', 'Too many requests; try again later', {
    error: 'rate-limited',
    retryAfterSeconds: Math.max(1, taken.resetSeconds),
  })
}

/** Who has one IPv6 address has all of its /64: they count as one. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address
  const [head = '', tail] = address.split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail?.split(':').filter(Boolean) ?? []
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  const groups = [...left, ...Array<string>(Math.max(0, zeros)).fill('0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
