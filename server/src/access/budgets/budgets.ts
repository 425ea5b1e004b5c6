import { setTimeout as pause } from 'node:timers/promises'
import { type Operation, takesMailedCode } from '@atrium/contract'
import { normalizeEmail } from '../../directory/email-address.ts'
import type { ImageOwner } from '../../directory/image-tries.ts'
import { type Clock, DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from '../../platform/clock.ts'
import type { Pool } from '../../platform/database/database.ts'
import { networkOf } from '../../platform/http/connections/network-address.ts'
import { UPLOAD_BYTES_MAX } from '../../platform/http/input/upload-size.ts'
import type { OrganizationId, UserId } from '../../platform/ids.ts'
import { sharedLimiter, type Taken } from '../../platform/limits/rate-limit.ts'
import type { Turn } from '../../platform/limits/steady-rate.ts'
import type { Log } from '../../platform/log.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { RotatingKey } from '../../platform/secrets/secret.ts'
import { waitInWords } from '../../platform/wait-sentence.ts'
import type { AnyCaller, Visitor } from '../caller.ts'
import { isKnownBrowser } from '../sessions/known-browser.ts'
import { type AtWork, callBudget } from './call-budget.ts'
import { countedLimits, type Draw } from './counted-limits.ts'
import { type DrawInvitations, invitationBudget } from './invitation-budget.ts'
import type { OrganizationLimits } from './organization-limits.ts'
import { type DrawWebhookTest, type WebhookTestSizes, webhookTestBudget } from './webhook-test-budget.ts'

/** What each budget allows beyond limits of organizations; 0: no limit. */
export interface BudgetSizes extends WebhookTestSizes {
  codesPerEmail: number
  codesPerEmailHour: number
  signInPerAddress: number
  guessesPerAddress: number
  guessesPerEmailHour: number
  guessesPerEmailDay: number
  guestPerAddress: number
  invitationsPerAddress: number
  uploadBytesPerUser: number
  exportsPerUser: number
}

export interface Budgets {
  /** Before the body: budgets of networks and users. Undefined where nothing is waited for. @throws Refusal too-many */
  enter(declared: Pick<Operation, 'budgets'>, caller: AnyCaller): Promise<void> | undefined
  /** Before a link for guests is looked at, but for the browser of a guest who has a place. @throws Refusal too-many */
  drawGuest(visitor: Visitor): Promise<void>
  /** Before a code is mailed to an address. @param email normalized @throws Refusal too-many */
  drawCode(visitor: Visitor, email: string): Promise<void>
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
  /**
   * Before an upload address is given: draws all that it can bring, for only some stores would say how much it brought.
   * @throws Refusal too-many; invalid, where no time that passes would help
   */
  drawUpload(visitor: Visitor, owner: ImageOwner): Promise<void>
  /** Once it is known how much was uploaded: gives the rest back. */
  settleUpload(owner: ImageOwner, bytes: number): Promise<void>
  /**
   * Before addresses for a file are given: draws its bytes, of the person and of the organization.
   * @throws Refusal too-many; too-large, where no time that passes would help
   */
  drawFile(
    visitor: Pick<Visitor, 'tellLimit'>,
    owner: { user: UserId; organization: OrganizationId },
    bytes: number,
  ): Promise<void>
  /**
   * Runs an operation. Where it takes a mailed code, a guess is counted before the code is looked at, so that many at
   * once pass no limit, and given back unless it was a wrong one. @throws Refusal too-many
   */
  run<Result>(
    declared: Operation,
    caller: AnyCaller,
    input: Record<string, unknown>,
    work: () => Promise<Result>,
  ): Promise<Result>
}

/** So much of an answer is worth a call: short ones cost one, and who reads as much as they can soon has none left. */
export const CALL_CHARACTERS = 64 * 1024
/** So much time is worth a call, of the event loop and of a statement that a client has shaped by filters and order. */
export const CALL_MS = 50
/** The stable word of a refusal that says that a mailed code did not fit. */
const WRONG = 'invalid-code'

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
  const shared = (name: string, points: number, seconds: number) =>
    sharedLimiter({ pool, name, points, seconds, onStoreError })
  const refundable = (name: string, points: number, seconds: number) =>
    sharedLimiter({ pool, name, points, seconds, onStoreError, refundable: true })
  const codes = shared('codes-per-email', sizes.codesPerEmail, MINUTE_SECONDS)
  const codesHour = shared('codes-per-email-hour', sizes.codesPerEmailHour, HOUR_SECONDS)
  const signIns = shared('sign-in-per-address', sizes.signInPerAddress, MINUTE_SECONDS)
  const guests = shared('guest-per-address', sizes.guestPerAddress, MINUTE_SECONDS)
  const guesses = refundable('guesses-per-address', sizes.guessesPerAddress, HOUR_SECONDS)
  const guessesHour = refundable('guesses-per-email-hour', sizes.guessesPerEmailHour, HOUR_SECONDS)
  const guessesKnown = refundable('guesses-known-hour', sizes.guessesPerEmailHour, HOUR_SECONDS)
  const guessesDay = refundable('guesses-per-email-day', sizes.guessesPerEmailDay, DAY_SECONDS)
  const invitations = refundable('invitations-per-network', sizes.invitationsPerAddress, DAY_SECONDS)
  const avatarBytes = refundable('upload-bytes', sizes.uploadBytesPerUser, HOUR_SECONDS)
  const ownExports = refundable('exports-per-user', sizes.exportsPerUser, DAY_SECONDS)
  const counted = countedLimits({ pool, onStoreError }, limits)
  const calls = callBudget(limits)
  const uploadsOf = ({ kind, id }: ImageOwner): Draw =>
    kind === 'user' ? { limiter: avatarBytes, key: `user ${id}` } : counted.ofOrganization('logo-bytes', id)

  const drawsOfNetwork = ({ budgets = [] }: Pick<Operation, 'budgets'>, address: string): Draw[] => {
    const key = networkOf(address)
    return [
      ...(budgets.includes('sign-in-per-address') ? [{ limiter: signIns, key }] : []),
      ...(budgets.includes('guest-per-address') ? [{ limiter: guests, key }] : []),
    ]
  }

  const drawsOfEntry = (budgets: readonly string[], caller: AnyCaller): Draw[] => [
    ...('user' in caller && budgets.includes('knocks-per-user')
      ? [counted.ofPerson('knocks-per-person', caller.user.id, caller.organization?.id)]
      : []),
    ...(budgets.includes('sign-in-per-address')
      ? [{ limiter: signIns, key: networkOf(caller.address) }]
      : []),
  ]

  const isKnown = (visitor: Visitor, email: string) =>
    isKnownBrowser({ keys: needs.knownBrowserKeys, cookies: visitor.cookies }, email, needs.clock.now())

  const guessesOf = (caller: AnyCaller, input: Record<string, unknown>): Draw[] => {
    const own = 'session' in caller ? caller.user.email : undefined
    const email = own ?? (typeof input.email === 'string' ? normalizeEmail(input.email) : undefined)
    // apart from what strangers did with the e-mail, and neighbours with whichever
    if (email && isKnown(caller, email)) return [{ limiter: guessesKnown, key: email }]
    const ofNetwork = { limiter: guesses, key: networkOf(caller.address) }
    if (!email) return [ofNetwork]
    return [ofNetwork, { limiter: guessesHour, key: email }, { limiter: guessesDay, key: email }]
  }

  return {
    enter(declared, caller) {
      const turn = calls.take(caller, waitAs(caller))
      const draws = declared.budgets ? drawsOfEntry(declared.budgets, caller) : []
      return turn || draws.length > 0 ? enterLater(turn, draws, caller) : undefined
    },
    drawGuest: (visitor) => draw({ limiter: guests, key: networkOf(visitor.address) }, visitor),
    async drawCode(visitor, email) {
      await draw({ limiter: codes, key: `${email} ${networkOf(visitor.address)}` }, visitor)
      if (!isKnown(visitor, email)) await draw({ limiter: codesHour, key: email }, visitor)
    },
    call: (person, visitor) => calls.take(person, waitAs(visitor)),
    requirePaid(caller) {
      const seconds = calls.overdrawnSeconds(caller)
      if (seconds !== undefined) throw tooMany(seconds)
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
      for (const { limiter, key } of drawsOfNetwork(declared, caller.address))
        limiter.take(key, more).catch(onStoreError)
    },
    drawInvitations: invitationBudget(counted, invitations, requireLeft),
    async drawExport(visitor, owner, begin) {
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
    },
    drawSignOnTrial: (visitor, organization) =>
      draw(counted.ofOrganization('sign-on-trials', organization), visitor),
    drawWebhookTest: webhookTestBudget(sizes, refundable, drawAll),
    async drawUpload(visitor, owner) {
      const { limiter, key } = uploadsOf(owner)
      const taken = await limiter.take(key, UPLOAD_BYTES_MAX)
      // what is refused brings nothing, and must not stand against what comes once images are judged
      if (!taken.allowed) await limiter.giveBack(key, UPLOAD_BYTES_MAX)
      if (taken.limit > 0 && taken.limit < UPLOAD_BYTES_MAX) throw neverAnUpload(taken.limit)
      requireLeft(taken, visitor)
    },
    async settleUpload(owner, bytes) {
      const unused = UPLOAD_BYTES_MAX - bytes
      const { limiter, key } = uploadsOf(owner)
      if (unused > 0) await limiter.giveBack(key, unused)
    },
    async drawFile(visitor, { user, organization }, bytes) {
      const least = ['file-bytes-per-person', 'file-bytes'] as const
      const sizes = least.map((name) => limits.of(organization, name, user)).filter((size) => size > 0)
      if (Math.min(...sizes) < bytes) throw neverThisFile(Math.min(...sizes))
      const ofPerson = counted.ofPerson('file-bytes-per-person', user, organization)
      await drawAll([ofPerson, counted.ofOrganization('file-bytes', organization)], visitor, bytes)
    },
    run(declared, caller, input, work) {
      return takesMailedCode(declared) ? runGuess(guessesOf(caller, input), caller, work) : work()
    },
  }
}

type Drawn = Draw & { taken: Taken }

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

async function runGuess<Result>(
  draws: readonly Draw[],
  caller: AnyCaller,
  work: () => Promise<Result>,
): Promise<Result> {
  const drawn = await drawAll(draws, caller)
  let wrong = false
  try {
    return await work()
  } catch (error) {
    wrong = error instanceof Refusal && error.error === WRONG
    throw error
  } finally {
    await settle(drawn, wrong, caller)
  }
}

async function draw({ limiter, key }: Draw, visitor: Pick<Visitor, 'tellLimit'>): Promise<void> {
  requireLeft(await limiter.take(key), visitor)
}

/** All of some budgets, or, where one is used up, none. */
async function drawAll(
  draws: readonly Draw[],
  visitor: Pick<Visitor, 'tellLimit'>,
  points = 1,
): Promise<Drawn[]> {
  const drawn: Drawn[] = []
  for (const one of draws) {
    const taken = await one.limiter.take(one.key, points)
    drawn.push({ ...one, taken })
    if (taken.allowed) continue
    await Promise.all(drawn.map(({ limiter, key }) => limiter.giveBack(key, points)))
    requireLeft(taken, visitor)
  }
  return drawn
}

/** Gives back what was drawn for a credential, unless it was wrong, and tells what is left then. */
async function settle(drawn: Drawn[], wrong: boolean, visitor: Visitor): Promise<void> {
  if (!wrong) return await giveBack(drawn, visitor)
  for (const { taken } of drawn) tell(taken, visitor)
}

async function giveBack(drawn: Drawn[], visitor: Pick<Visitor, 'tellLimit'>): Promise<void> {
  await Promise.all(drawn.map(({ limiter, key }) => limiter.giveBack(key)))
  for (const { taken } of drawn) tell({ ...taken, remaining: taken.remaining + 1 }, visitor)
}

function tell(taken: Taken, visitor: Pick<Visitor, 'tellLimit'>): void {
  if (taken.limit > 0) visitor.tellLimit(taken)
}

function requireLeft(taken: Taken & { retrySeconds?: number }, visitor: Pick<Visitor, 'tellLimit'>): void {
  tell(taken, visitor)
  if (taken.allowed) return
  throw tooMany(Math.max(1, taken.retrySeconds ?? taken.resetSeconds))
}

function neverAnUpload(limit: number): Refusal {
  const message = `Nothing can be uploaded here: the limit is ${limit} bytes an hour, and an upload counts as ${UPLOAD_BYTES_MAX} until it is checked. The operator of this office can raise it`
  return Refusal.of('upload-limit-too-small', { message })
}

function neverThisFile(limit: number): Refusal {
  return Refusal.of('too-large', { message: `A file has at most ${limit} bytes here` })
}

function tooMany(retryAfterSeconds: number): Refusal {
  const message = `Too many requests; try again in ${waitInWords(retryAfterSeconds)}`
  return Refusal.of('rate-limited', { message, retryAfterSeconds })
}
