import type { CalendarProvider, Input, Reply } from '@atrium/contract'
import type { SignedInCaller } from '../../../access/caller.ts'
import type { Clock } from '../../../platform/clock.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { KeyRing } from '../../../platform/secrets/sealed-column.ts'
import type { CalendarPort } from '../../../ports/calendar.ts'
import { type ConnectionKey, returnCode, saveConnection, spendCode } from '../store.ts'
import { type ConnectNeeds, returnUrlOf } from './connect-calendar.ts'
import { requireOffered } from './offered-calendars.ts'
import { sealTokens } from './tokens.ts'

type Operation = 'finalizeProviderACalendar' | 'finalizeProviderBCalendar'

interface Needs extends ConnectNeeds {
  clock: Clock
  calendarRing: KeyRing
}

export const finalizeProviderACalendar = finalizeCalendar('provider-a')
export const finalizeProviderBCalendar = finalizeCalendar('provider-b')

/** Connects the calendar of a provider that the caller has just consented to. */
function finalizeCalendar(provider: CalendarProvider) {
  return async (
    needs: Needs,
    caller: SignedInCaller,
    { code, codeVerifier }: Input<Operation>,
  ): Promise<Reply<Operation>> => {
    const port = await requireOffered(needs, caller, provider)
    const redirectUri = returnUrlOf(needs.frontendUrl)
    const key = { user: caller.user.id, provider }
    const tokens = await redeemOnce(needs, key, code, () =>
      port.redeemCode({ code, codeVerifier, redirectUri }),
    )
    if (!tokens) throw Refusal.of('calendar-code-refused')
    if (tokens === 'permission-missing') throw Refusal.of('calendar-permission-missing')
    await saveConnection(needs.db, key, sealTokens(needs, key, tokens), needs.clock.now())
    return { status: 200, body: { code: 200, message: 'The calendar is connected' } }
  }
}

/**
 * A page that loads twice hands its code in twice. A provider that keeps to the rules (RFC 6749, 4.1.2) then takes
 * back what it gave the first time: it must not hear of the second. What comes after beginning again it may hear, even
 * the same code again: a stand-in may have but one.
 */
async function redeemOnce(
  { db, clock }: Needs,
  key: ConnectionKey,
  code: string,
  redeem: () => ReturnType<CalendarPort['redeemCode']>,
): ReturnType<CalendarPort['redeemCode']> {
  if (!(await spendCode(db, key, code, clock.now()))) return undefined
  let tokens: Awaited<ReturnType<CalendarPort['redeemCode']>>
  try {
    tokens = await redeem()
  } finally {
    // what has given nothing may be tried again: there is nothing to take back
    if (!tokens) await returnCode(db, key, code)
  }
  return tokens
}
