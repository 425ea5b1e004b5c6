import type { CalendarProvider, Input } from '@atrium/contract'
import type { SignedInCaller } from '../../../access/caller.ts'
import { forgetCodes } from '../store.ts'
import { type OfferNeeds, requireOffered } from './offered-calendars.ts'

export interface ConnectNeeds extends OfferNeeds {
  frontendUrl: string
}

export const connectProviderACalendar = connectCalendar('provider-a', (redirectUrl) => ({
  authData: { redirectUrl },
}))
export const connectProviderBCalendar = connectCalendar('provider-b', (redirectUrl) => ({ redirectUrl }))

/** Begins to connect a calendar of a provider: answers where to send the browser, in the shape of that provider. */
function connectCalendar<Body>(provider: CalendarProvider, bodyOf: (redirectUrl: string) => Body) {
  return async (
    needs: ConnectNeeds,
    caller: SignedInCaller,
    { state, codeChallenge }: Input<'connectProviderACalendar' | 'connectProviderBCalendar'>,
  ): Promise<{ status: 200; body: Body }> => {
    const port = await requireOffered(needs, caller, provider)
    await forgetCodes(needs.db, { user: caller.user.id, provider })
    const redirectUri = returnUrlOf(needs.frontendUrl)
    return { status: 200, body: bodyOf(await port.consentUrl({ state, codeChallenge, redirectUri })) }
  }
}

/** Where providers send browsers back to: a page of the front end, which holds the verifier. Never from a request. */
export function returnUrlOf(frontendUrl: string): string {
  return `${frontendUrl}/calendar/complete`
}
