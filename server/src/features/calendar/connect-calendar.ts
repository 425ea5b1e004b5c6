import type { SignedInCaller } from '../../access/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { KeyRing } from '../../platform/secrets/sealed-column.ts'
import type { CalendarTokens } from '../../ports/calendar.ts'
import { type OfferNeeds, requireOffered } from './offered-calendars.ts'
import {
  type CalendarProvider,
  type ConnectionKey,
  forgetCodes,
  returnCode,
  saveConnection,
  spendCode,
} from './store.ts'
import { sealTokens } from './tokens.ts'

export interface ConnectNeeds extends OfferNeeds {
  frontendUrl: string
}

/** Where providers send browsers back to: a page of the front end, which holds the verifier. Never from a request. */
function returnUrlOf(frontendUrl: string): string {
  return `${frontendUrl}/calendar/complete`
}

/** @returns where to send the browser. @throws ProviderFailure */
export async function beginConnection(
  needs: ConnectNeeds,
  caller: SignedInCaller,
  provider: CalendarProvider,
  { state, codeChallenge }: { state: string; codeChallenge: string },
): Promise<string> {
  const port = await requireOffered(needs, caller, provider)
  await forgetCodes(needs.db, { user: caller.user.id, provider })
  return await port.consentUrl({ state, codeChallenge, redirectUri: returnUrlOf(needs.frontendUrl) })
}

export interface FinalizeNeeds extends ConnectNeeds {
  clock: Clock
  calendarRing: KeyRing
}

/** @throws Refusal invalid where the provider refuses the code or its verifier. @throws ProviderFailure */
export async function finishConnection(
  needs: FinalizeNeeds,
  caller: SignedInCaller,
  provider: CalendarProvider,
  { code, codeVerifier }: { code: string; codeVerifier: string },
): Promise<void> {
  const port = await requireOffered(needs, caller, provider)
  const redirectUri = returnUrlOf(needs.frontendUrl)
  const key = { user: caller.user.id, provider }
  const tokens = await redeemOnce(needs, key, code, () =>
    port.redeemCode({ code, codeVerifier, redirectUri }),
  )
  if (!tokens) {
    throw new Refusal('invalid', 'The provider refuses this code: begin again', {
      error: 'calendar-code-refused',
    })
  }
  await saveConnection(needs.db, key, sealTokens(needs, key, tokens), needs.clock.now())
}

/**
 * A page that loads twice hands its code in twice. A provider that keeps to the rules (RFC 6749, 4.1.2) then takes
 * back what it gave the first time: it must not hear of the second. What comes after beginning anew it may hear, even
 * the same code again: a stand-in may have but one.
 */
async function redeemOnce(
  { db, clock }: FinalizeNeeds,
  key: ConnectionKey,
  code: string,
  redeem: () => Promise<CalendarTokens | undefined>,
): Promise<CalendarTokens | undefined> {
  if (!(await spendCode(db, key, code, clock.now()))) return undefined
  let tokens: CalendarTokens | undefined
  try {
    tokens = await redeem()
  } finally {
    // what has given nothing may be tried again: there is nothing to take back
    if (!tokens) await returnCode(db, key, code)
  }
  return tokens
}
