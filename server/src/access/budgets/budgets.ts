import { setTimeout as pause } from 'node:timers/promises'
import type { Budget, Operation } from '@atrium/contract'
import { type Clock, DAY_SECONDS, MINUTE_SECONDS } from '../../platform/clock.ts'
import type { Pool } from '../../platform/database/database.ts'
import { networkOf } from '../../platform/http/connections/network-address.ts'
import type { OrganizationId, UserId } from '../../platform/ids.ts'
import { type Limiter, sharedLimiter } from '../../platform/limits/rate-limit.ts'
import { rateLimited } from '../../platform/limits/rate-limited.ts'
import type { Turn } from '../../platform/limits/steady-rate.ts'
import type { Log } from '../../platform/log.ts'
import type { RotatingKey } from '../../platform/secrets/secret.ts'
import type { AnyCaller, Visitor } from '../caller.ts'
import { type AtWork, callBudget } from './call-budget.ts'
import { type CountedLimit, type CountedLimits, countedLimits, type Draw } from './counted-limits.ts'
import { draw, drawAll, giveBack, type OpenLimiter, requireLeft } from './draws.ts'
import { type GuessBudget, type GuessSizes, guessBudget } from './guess-budget.ts'
import { type DrawInvitations, invitationBudget } from './invitation-budget.ts'
import type { OrganizationLimits } from './organization-limits.ts'
import { type UploadBudget, uploadBudget } from './upload-budget.ts'
import { type DrawWebhookTest, type WebhookTestSizes, webhookTestBudget } from './webhook-test-budget.ts'

/** What each budget allows beyond limits of organizations; 0: no limit. */
export interface BudgetSizes extends WebhookTestSizes, GuessSizes {
  signInPerAddress: number
  guestPerAddress: number
  invitationsPerAddress: number
  uploadBytesPerUser: number
  exportsPerUser: number
}

export interface Budgets extends GuessBudget, UploadBudget {
  /** Before the body: budgets of networks and users. Undefined where nothing is waited for. @throws Refusal too-many */
  enter(declared: Pick<Operation, 'budgets'>, caller: AnyCaller): Promise<void> | undefined
  /** Before a link for guests is looked at, but for the browser of a guest who has a place. @throws Refusal too-many */
  drawGuest(visitor: Visitor): Promise<void>
  /** A call of a person that is no operation: with a token of the chat data. @throws Refusal too-many */
  call(person: AtWork, visitor: Pick<Visitor, 'tellLimit'>): Promise<unknown> | undefined
  /**
   * When a call that waited behind others of its owner has its turn: they may have been worth so much that it would not
   * be let in by now. @throws Refusal too-many
   */
  requirePaid(caller: AnyCaller | AtWork): void
  /** After an answer that was worth several calls: takes the others. */
  charge(person: AtWork, calls: number): void
  /** After an answer of so many characters: a long one is worth several calls. */
  chargeAnswer(caller: AnyCaller, characters: number): void
  /**
   * Where a call has held the event loop for so many milliseconds: a long time is worth several calls, of a person or
   * program and of the network that the operation counts.
   */
  chargeTime(declared: Pick<Operation, 'budgets'>, caller: AnyCaller | AtWork, ms: number): void
  /** Before invitations are made. @throws Refusal too-many */
  drawInvitations: DrawInvitations
  /**
   * Begins to make an archive of a person, or of an organization. What does not begin takes nothing of the day.
   * @throws Refusal too-many, and what `begin` throws
   */
  drawExport<Result>(
    visitor: Pick<Visitor, 'tellLimit'>,
    owner: { organization: OrganizationId } | { user: UserId },
    begin: () => Promise<Result>,
  ): Promise<Result>
  /** Before the DNS or an issuer is asked for an organization. @throws Refusal too-many */
  drawSignOnTrial(visitor: Pick<Visitor, 'tellLimit'>, organization: OrganizationId): Promise<void>
  /** Before a receiver is asked whether it agrees. @throws Refusal too-many */
  drawWebhookTest: DrawWebhookTest
}

/** So much of an answer is worth a call: short ones cost one, and who reads as much as they can soon has none left. */
export const CALL_CHARACTERS = 64 * 1024
/** So much time is worth a call, of the event loop and of a statement that a client has shaped by filters and order. */
export const CALL_MS = 50
/** Budgets of e-mails and networks are counted by all nodes together; the broad one of users by each node. */
export function makeBudgets(needs: {
  pool: Pool
  log: Log
  clock: Clock
  sizes: BudgetSizes
  limits: OrganizationLimits
  knownBrowserKeys: RotatingKey
}): Budgets {
  const { pool, sizes, limits } = needs
  const onStoreError = (error: unknown) =>
    needs.log.warn({ err: error }, 'rate limits are counted by this node alone')
  const limiters = openLimiters(pool, onStoreError)
  const { shared, refundable } = limiters
  const networks: NetworkLimiters = {
    signIns: shared('sign-in-per-address', sizes.signInPerAddress, MINUTE_SECONDS),
    guests: shared('guest-per-address', sizes.guestPerAddress, MINUTE_SECONDS),
  }
  const invitations = refundable('invitations-per-network', sizes.invitationsPerAddress, DAY_SECONDS)
  const counted = countedLimits({ pool, onStoreError }, limits)
  const calls = callBudget(limits)
  return {
    enter(declared, caller) {
      const turn = calls.take(caller, waitAs(caller))
      const draws = declared.budgets ? drawsOfEntry(networks, counted, declared.budgets, caller) : []
      return turn || draws.length > 0 ? enterLater(turn, draws, caller) : undefined
    },
    drawGuest: (visitor) => draw({ limiter: networks.guests, key: networkOf(visitor.address) }, visitor),
    call: (person, visitor) => calls.take(person, waitAs(visitor)),
    ...callCharges(calls, networks, onStoreError),
    drawInvitations: invitationBudget(counted, invitations, requireLeft),
    drawExport: exportBudget(limiters, sizes, counted),
    drawSignOnTrial: (visitor, organization) =>
      draw(counted.ofOrganization('sign-on-trials', organization), visitor),
    drawWebhookTest: webhookTestBudget(sizes, refundable, drawAll),
    ...guessBudget(limiters, sizes, { keys: needs.knownBrowserKeys, clock: needs.clock }),
    ...uploadBudget(limiters, sizes, counted, limits),
  }
}

function openLimiters(pool: Pool, onStoreError: (error: unknown) => void): OpenLimiter {
  const shared = (name: string, points: number, seconds: number) =>
    sharedLimiter({ pool, name, points, seconds, onStoreError })
  const refundable = (name: string, points: number, seconds: number) =>
    sharedLimiter({ pool, name, points, seconds, onStoreError, refundable: true })
  return { shared, refundable }
}

/** What the calls of one network are counted by. */
interface NetworkLimiters {
  signIns: Limiter
  guests: Limiter
}

function callCharges(
  calls: ReturnType<typeof callBudget>,
  networks: NetworkLimiters,
  onStoreError: (error: unknown) => void,
): Pick<Budgets, 'requirePaid' | 'charge' | 'chargeAnswer' | 'chargeTime'> {
  return {
    requirePaid(caller) {
      const seconds = calls.overdrawnSeconds(caller)
      if (seconds !== undefined) throw rateLimited(seconds)
    },
    charge: (person, more) => calls.charge(person, more),
    chargeAnswer(caller, characters) {
      const more = Math.floor(characters / CALL_CHARACTERS)
      if (more === 0) return
      calls.charge(caller, more)
    },
    chargeTime(declared, caller, ms) {
      const more = Math.floor(ms / CALL_MS)
      if (more === 0) return
      calls.charge(caller, more)
      if (!('address' in caller)) return
      for (const { limiter, key } of drawsOfNetwork(networks, declared, caller.address))
        limiter.take(key, more).catch(onStoreError)
    },
  }
}

function exportBudget(
  { refundable }: OpenLimiter,
  { exportsPerUser }: BudgetSizes,
  counted: CountedLimits,
): Budgets['drawExport'] {
  const ownExports = refundable('exports-per-user', exportsPerUser, DAY_SECONDS)
  return async (visitor, owner, begin) => {
    const ofOwner =
      'organization' in owner
        ? counted.ofOrganization('exports', owner.organization)
        : { limiter: ownExports, key: owner.user }
    const drawn = await drawAll([ofOwner], visitor)
    try {
      return await begin()
    } catch (error) {
      await giveBack(drawn, visitor)
      throw error
    }
  }
}

function drawsOfNetwork(
  { signIns, guests }: NetworkLimiters,
  { budgets = [] }: Pick<Operation, 'budgets'>,
  address: string,
): Draw[] {
  const key = networkOf(address)
  return [
    ...(budgets.includes('sign-in-per-address') ? [{ limiter: signIns, key }] : []),
    ...(budgets.includes('guest-per-address') ? [{ limiter: guests, key }] : []),
  ]
}

/** What an operation is counted by for each person, and the limit of it. */
const OF_PERSON: readonly (readonly [Budget, CountedLimit])[] = [
  ['knocks-per-user', 'knocks-per-person'],
  ['reactions-per-user', 'reactions-per-person'],
]

function drawsOfEntry(
  { signIns }: NetworkLimiters,
  counted: CountedLimits,
  budgets: readonly string[],
  caller: AnyCaller,
): Draw[] {
  return [
    ...('user' in caller
      ? OF_PERSON.filter(([budget]) => budgets.includes(budget)).map(([, limit]) =>
          counted.ofPerson(limit, caller.user.id, caller.organization?.id),
        )
      : []),
    ...(budgets.includes('sign-in-per-address')
      ? [{ limiter: signIns, key: networkOf(caller.address) }]
      : []),
  ]
}

/** Waits where a turn is not yet come, but soon. */
function waitAs(visitor: Pick<Visitor, 'tellLimit'>) {
  return (turn: Turn) => {
    requireLeft(turn, visitor)
    return turn.afterMs > 0 ? pause(turn.afterMs) : undefined
  }
}

async function enterLater(
  turn: Promise<unknown> | undefined,
  draws: readonly Draw[],
  caller: AnyCaller,
): Promise<void> {
  await turn
  for (const one of draws) await draw(one, caller)
}
