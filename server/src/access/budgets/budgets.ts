import { setTimeout as pause } from 'node:timers/promises'
import type { Operation } from '@atrium/contract'
import { normalizeEmail } from '../../directory/email-address.ts'
import type { ImageOwner } from '../../directory/image-tries.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Pool } from '../../platform/database/database.ts'
import { networkOf } from '../../platform/http/connections/network-address.ts'
import { UPLOAD_BYTES_MAX } from '../../platform/http/input/upload-size.ts'
import type { OrganizationId, UserId } from '../../platform/ids.ts'
import { type SteadyRate, steadyRate } from '../../platform/limits/steady-rate.ts'
import type { Log } from '../../platform/log.ts'
import { type Limiter, sharedLimiter, type Taken } from '../../platform/rate-limit.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { RotatingKey } from '../../platform/secrets/secret.ts'
import { waitInWords } from '../../platform/wait-sentence.ts'
import type { AnyCaller, Visitor } from '../caller.ts'
import { isKnownBrowser } from '../sessions/known-browser.ts'
import { type DrawInvitations, type InvitationBudgetSizes, invitationBudget } from './invitation-budget.ts'

/** What each budget allows; 0: no limit. */
export interface BudgetSizes extends InvitationBudgetSizes {
  codesPerEmail: number
  codesPerEmailHour: number
  signInPerAddress: number
  guessesPerAddress: number
  guessesPerEmailHour: number
  guessesPerEmailDay: number
  guestPerAddress: number
  knocksPerUser: number
  uploadBytesPerUser: number
  perUser: number
  perToken: number
  perDirectory: number
  /** Archives in a day. */
  exportsPerUser: number
  exportsPerOrganization: number
  /** In an hour: looks into the DNS for its domains, and test sign-ins at its issuer. */
  signOnTrialsPerOrganization: number
}

/** Draws one archive from the budget of whomever it is of. */
export type DrawExport = (
  visitor: Pick<Visitor, 'tellLimit'>,
  owner: { organization: OrganizationId } | { user: UserId },
) => Promise<void>

export interface Budgets {
  /** Before the body: budgets of networks and users. @throws Refusal too-many */
  enter(declared: Operation, caller: AnyCaller): Promise<void>
  /** Before a code is mailed to an address. @param email normalized @throws Refusal too-many */
  drawCode(visitor: Visitor, email: string): Promise<void>
  /** A call of a person that is no operation: with a token of the chat data. @throws Refusal too-many */
  call(userId: string, visitor: Pick<Visitor, 'tellLimit'>): Promise<void>
  /** A SCIM call of a directory. @throws Refusal too-many */
  directoryCall(connectionId: string, visitor: Pick<Visitor, 'tellLimit'>): Promise<void>
  /**
   * When a call that waited behind others of its owner has its turn: they may have been worth so much that it would not
   * be let in by now. @throws Refusal too-many
   */
  requirePaid(caller: AnyCaller | { user: { id: string } }): void
  /** After an answer that was worth several calls: takes the others. */
  charge(userId: string, calls: number): void
  /** After an answer of so many characters: a long one is worth several calls. */
  chargeAnswer(caller: AnyCaller, characters: number): void
  /** Before invitations are made. @throws Refusal too-many */
  drawInvitations: DrawInvitations
  /** Before an archive of somebody or of an organization is made. @throws Refusal too-many */
  drawExport: DrawExport
  /** Before the DNS or an issuer is asked for an organization. @throws Refusal too-many */
  drawSignOnTrial(visitor: Pick<Visitor, 'tellLimit'>, organization: OrganizationId): Promise<void>
  /**
   * Before an address is given to which somebody may upload: all that it can bring, for only some stores would say how
   * much it brought. @throws Refusal too-many
   */
  drawUpload(visitor: Visitor, owner: ImageOwner): Promise<void>
  /** Once it is known how much was uploaded: gives the rest back. */
  settleUpload(owner: ImageOwner, bytes: number): Promise<void>
  /**
   * Runs an operation. Where it takes a credential, it is counted before it is looked at, so that many at once pass no
   * limit, and given back unless it was a wrong one. @throws Refusal too-many
   */
  run<Result>(
    declared: Operation,
    caller: AnyCaller,
    input: Record<string, unknown>,
    work: () => Promise<Result>,
  ): Promise<Result>
}

interface Draw {
  limiter: Limiter
  key: string
}

/** So much of an answer is worth a call: short ones cost one, and who reads as much as they can soon has none left. */
export const CALL_CHARACTERS = 64 * 1024
const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** A front end asks for some forty things when it opens, and somebody may open two. */
const OPENING_CALLS = 100
/** What comes beyond waits its turn, as long as that is soon. */
const CALL_PATIENCE_SECONDS = 10
/** All tokens of an organization together call as often as so many: a new token brings no new budget. */
const TOKENS_AT_FULL_PACE = 5
/** The stable words of refusals that say that a credential did not fit. */
const WRONG = new Set(['invalid-code', 'invalid-pending-authentication-token', 'invalid-invite-token'])

/** Budgets of e-mails and networks are counted by all nodes together; the broad one of users by each node. */
export function makeBudgets(needs: {
  pool: Pool
  log: Log
  clock: Clock
  sizes: BudgetSizes
  knownBrowserKeys: RotatingKey
}): Budgets {
  const { pool, sizes } = needs
  const onStoreError = (error: unknown) =>
    needs.log.warn({ err: error }, 'rate limits are counted by this node alone')
  const shared = (name: string, points: number, seconds: number) =>
    sharedLimiter({ pool, name, points, seconds, onStoreError })
  const refundable = (name: string, points: number, seconds: number) =>
    sharedLimiter({ pool, name, points, seconds, onStoreError, refundable: true })
  const codes = shared('codes-per-email', sizes.codesPerEmail, MINUTE)
  const codesHour = shared('codes-per-email-hour', sizes.codesPerEmailHour, HOUR)
  const signIns = shared('sign-in-per-address', sizes.signInPerAddress, MINUTE)
  const guests = shared('guest-per-address', sizes.guestPerAddress, MINUTE)
  const knocks = shared('knocks-per-user', sizes.knocksPerUser, MINUTE)
  const guesses = refundable('guesses-per-address', sizes.guessesPerAddress, HOUR)
  const guessesHour = refundable('guesses-per-email-hour', sizes.guessesPerEmailHour, HOUR)
  const guessesDay = refundable('guesses-per-email-day', sizes.guessesPerEmailDay, DAY)
  const signOnTrials = shared('sign-on-trials-per-organization', sizes.signOnTrialsPerOrganization, HOUR)
  const userExports = shared('exports-per-user', sizes.exportsPerUser, DAY)
  const organizationExports = shared('exports-per-organization', sizes.exportsPerOrganization, DAY)
  const uploads = refundable('upload-bytes', sizes.uploadBytesPerUser, HOUR)
  const steady = (points: number) => {
    const burst = callsAtOnce(points)
    // where all of a minute may come at once, there is nothing to wait for
    const patienceSeconds = burst < points ? CALL_PATIENCE_SECONDS : 0
    return steadyRate({ points, seconds: MINUTE, burst, patienceSeconds })
  }
  const calls = steady(sizes.perUser)
  const tokenCalls = steady(sizes.perToken)
  const organizationTokenCalls = steady(sizes.perToken * TOKENS_AT_FULL_PACE)
  const directoryCalls = steady(sizes.perDirectory)

  const isKnown = (visitor: Visitor, email: string) =>
    isKnownBrowser({ keys: needs.knownBrowserKeys, cookies: visitor.cookies }, email, needs.clock.now())

  const guessesOf = (declared: Operation, caller: AnyCaller, input: Record<string, unknown>): Draw[] => {
    if (!declared.budgets?.includes('guesses-per-address')) return []
    const ofNetwork = { limiter: guesses, key: networkOf(caller.address) }
    if (!declared.budgets.includes('guesses-per-email')) return [ofNetwork]
    // a session that was stolen may have been so with the browser: its guesses count wherever they come from
    const own = 'user' in caller ? caller.user.email : undefined
    const email = own ?? (typeof input.email === 'string' ? normalizeEmail(input.email) : undefined)
    if (!email || (!own && isKnown(caller, email))) return [ofNetwork]
    return [ofNetwork, { limiter: guessesHour, key: email }, { limiter: guessesDay, key: email }]
  }

  return {
    async enter(declared, caller) {
      const network = networkOf(caller.address)
      if ('user' in caller) await drawTurn(calls, caller.user.id, caller)
      if ('token' in caller) {
        await drawTurn(tokenCalls, caller.token.id, caller)
        await drawTurn(organizationTokenCalls, caller.organization.id, caller)
      }
      if ('user' in caller && declared.budgets?.includes('knocks-per-user'))
        await draw(knocks, caller.user.id, caller)
      if (declared.budgets?.includes('sign-in-per-address')) await draw(signIns, network, caller)
      if (declared.budgets?.includes('guest-per-address')) await draw(guests, network, caller)
    },
    async drawCode(visitor, email) {
      await draw(codes, `${email} ${networkOf(visitor.address)}`, visitor)
      if (!isKnown(visitor, email)) await draw(codesHour, email, visitor)
    },
    call: (userId, visitor) => drawTurn(calls, userId, visitor),
    directoryCall: (connectionId, visitor) => drawTurn(directoryCalls, connectionId, visitor),
    requirePaid(caller) {
      const seconds =
        'user' in caller
          ? calls.overdrawnSeconds(caller.user.id)
          : 'token' in caller
            ? tokenCalls.overdrawnSeconds(caller.token.id)
            : undefined
      if (seconds !== undefined) throw tooMany(seconds)
    },
    charge: calls.charge,
    chargeAnswer(caller, characters) {
      const more = Math.floor(characters / CALL_CHARACTERS)
      if (more === 0) return
      if ('user' in caller) calls.charge(caller.user.id, more)
      if (!('token' in caller)) return
      tokenCalls.charge(caller.token.id, more)
      organizationTokenCalls.charge(caller.organization.id, more)
    },
    drawInvitations: invitationBudget({ pool, onStoreError }, sizes, requireLeft),
    drawExport: (visitor, owner) =>
      'user' in owner
        ? draw(userExports, owner.user, visitor)
        : draw(organizationExports, owner.organization, visitor),
    drawSignOnTrial: (visitor, organization) => draw(signOnTrials, organization, visitor),
    async drawUpload(visitor, { kind, id }) {
      requireLeft(await uploads.take(`${kind} ${id}`, UPLOAD_BYTES_MAX), visitor)
    },
    async settleUpload({ kind, id }, bytes) {
      const unused = UPLOAD_BYTES_MAX - bytes
      if (unused > 0) await uploads.giveBack(`${kind} ${id}`, unused)
    },
    async run(declared, caller, input, work) {
      const drawn = await drawAll(guessesOf(declared, caller, input), caller)
      let wrong = false
      try {
        return await work()
      } catch (error) {
        wrong = error instanceof Refusal && WRONG.has(error.error ?? '')
        throw error
      } finally {
        await settle(drawn, wrong, caller)
      }
    },
  }
}

/** How many of the calls of a minute may come together: those of ten seconds, or what an opening front end needs. */
function callsAtOnce(perMinute: number): number {
  return Math.max(Math.ceil(perMinute / 6), Math.min(perMinute, OPENING_CALLS))
}

/** Waits where the turn is not yet come, but soon. */
async function drawTurn(rate: SteadyRate, key: string, visitor: Pick<Visitor, 'tellLimit'>): Promise<void> {
  const turn = rate.take(key)
  requireLeft(turn, visitor)
  if (turn.afterMs > 0) await pause(turn.afterMs)
}

async function draw(limiter: Limiter, key: string, visitor: Pick<Visitor, 'tellLimit'>): Promise<void> {
  requireLeft(await limiter.take(key), visitor)
}

/** All of some budgets, or, where one is used up, none. */
async function drawAll(draws: Draw[], visitor: Visitor): Promise<(Draw & { taken: Taken })[]> {
  const drawn: (Draw & { taken: Taken })[] = []
  for (const one of draws) {
    const taken = await one.limiter.take(one.key)
    drawn.push({ ...one, taken })
    if (taken.allowed) continue
    await Promise.all(drawn.map(({ limiter, key }) => limiter.giveBack(key)))
    requireLeft(taken, visitor)
  }
  return drawn
}

/** Gives back what was drawn for a credential that was not wrong, and tells what is left then. */
async function settle(drawn: (Draw & { taken: Taken })[], wrong: boolean, visitor: Visitor): Promise<void> {
  if (!wrong) await Promise.all(drawn.map(({ limiter, key }) => limiter.giveBack(key)))
  for (const { taken } of drawn) tell({ ...taken, remaining: taken.remaining + (wrong ? 0 : 1) }, visitor)
}

function tell(taken: Taken, visitor: Pick<Visitor, 'tellLimit'>): void {
  if (taken.limit > 0) visitor.tellLimit(taken)
}

function requireLeft(taken: Taken & { retrySeconds?: number }, visitor: Pick<Visitor, 'tellLimit'>): void {
  tell(taken, visitor)
  if (taken.allowed) return
  throw tooMany(Math.max(1, taken.retrySeconds ?? taken.resetSeconds))
}

function tooMany(retryAfterSeconds: number): Refusal {
  const message = `Too many requests; try again in ${waitInWords(retryAfterSeconds)}`
  return new Refusal('too-many', message, { error: 'rate-limited', retryAfterSeconds })
}
