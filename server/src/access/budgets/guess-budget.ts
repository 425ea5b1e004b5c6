import { type Operation, takesMailedCode } from '@atrium/contract'
import { normalizeEmail } from '../../directory/email-address.ts'
import { type Clock, DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from '../../platform/clock.ts'
import { networkOf } from '../../platform/http/connections/network-address.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { RotatingKey } from '../../platform/secrets/secret.ts'
import type { AnyCaller, Visitor } from '../caller.ts'
import { isKnownBrowser } from '../sessions/known-browser.ts'
import type { Draw } from './counted-limits.ts'
import { type Drawn, draw, drawAll, giveBack, type OpenLimiter, tell } from './draws.ts'

export interface GuessSizes {
  codesPerEmail: number
  codesPerEmailHour: number
  guessesPerAddress: number
  guessesPerEmailHour: number
  guessesPerEmailDay: number
}

export interface GuessBudget {
  /** Before a code is mailed to an address. @param email normalized @throws Refusal too-many */
  drawCode(visitor: Visitor, email: string): Promise<void>
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

/** The stable word of a refusal that says that a mailed code did not fit. */
const WRONG = 'invalid-code'
const SIX_DIGITS = /^\d{6}$/

/** Mailed codes, and guesses at them. A browser that has signed in before is counted apart. */
export function guessBudget(
  { shared, refundable }: OpenLimiter,
  sizes: GuessSizes,
  browsers: { keys: RotatingKey; clock: Clock },
): GuessBudget {
  const codes = shared('codes-per-email', sizes.codesPerEmail, MINUTE_SECONDS)
  const codesHour = shared('codes-per-email-hour', sizes.codesPerEmailHour, HOUR_SECONDS)
  const guesses = refundable('guesses-per-address', sizes.guessesPerAddress, HOUR_SECONDS)
  const guessesHour = refundable('guesses-per-email-hour', sizes.guessesPerEmailHour, HOUR_SECONDS)
  const guessesKnown = refundable('guesses-known-hour', sizes.guessesPerEmailHour, HOUR_SECONDS)
  const guessesDay = refundable('guesses-per-email-day', sizes.guessesPerEmailDay, DAY_SECONDS)

  const isKnown = (visitor: Visitor, email: string) =>
    isKnownBrowser({ keys: browsers.keys, cookies: visitor.cookies }, email, browsers.clock.now())

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
    async drawCode(visitor, email) {
      await draw({ limiter: codes, key: `${email} ${networkOf(visitor.address)}` }, visitor)
      if (!isKnown(visitor, email)) await draw({ limiter: codesHour, key: email }, visitor)
    },
    run(declared, caller, input, work) {
      const isGuess = takesMailedCode(declared) && Object.values(input).some(isSixDigits)
      return isGuess ? runGuess(guessesOf(caller, input), caller, work) : work()
    },
  }
}

/** What is no six-digit code guesses none. */
function isSixDigits(value: unknown): boolean {
  return typeof value === 'string' && SIX_DIGITS.test(value.trim())
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

/** Gives back what was drawn for a credential, unless it was wrong, and tells what is left then. */
async function settle(drawn: Drawn[], wrong: boolean, visitor: Visitor): Promise<void> {
  if (!wrong) return await giveBack(drawn, visitor)
  for (const { taken } of drawn) tell(taken, visitor)
}
