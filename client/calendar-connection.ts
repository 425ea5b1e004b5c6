import type { AtriumClient } from './index.ts'
import { randomId } from './requests/random-id.ts'
import { type Page, takeQuery, thisPage } from './sign-in.ts'

export type CalendarProvider = 'a' | 'b'

export type CalendarEnd =
  | { state: 'connected'; provider: CalendarProvider }
  /** `error`: the word of the provider, or `another-tab`: nothing of this kind was begun in this tab. */
  | { state: 'refused'; error: string }
  | { state: 'nothing' }

/** The same place and form as the pages of the office use: either may finish what the other began. */
const keyOf = (state: string) => `atrium-calendar-${state}`

/**
 * Begins to connect a calendar in one call: makes state and PKCE verifier, keeps them in this tab, and leaves for the
 * provider. `finishCalendar` goes on at `/calendar/complete`. Rejects as `call` does.
 */
export async function connectCalendar(
  client: AtriumClient,
  provider: CalendarProvider,
  page: Page = thisPage(),
): Promise<void> {
  const state = randomId()
  const codeVerifier = base64url(crypto.getRandomValues(new Uint8Array(32)))
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(codeVerifier))
  const input = { state, codeChallenge: base64url(new Uint8Array(digest)) }
  const address =
    provider === 'a'
      ? (await client.call('connectProviderACalendar', input)).authData.redirectUrl
      : (await client.call('connectProviderBCalendar', input)).redirectUrl
  page.storage.setItem(keyOf(state), JSON.stringify({ provider: `provider-${provider}`, codeVerifier }))
  page.leaveFor(address)
}

/** Finishes at `/calendar/complete` what `connectCalendar` began in this tab. Rejects as `call` does. */
export async function finishCalendar(client: AtriumClient, page: Page = thisPage()): Promise<CalendarEnd> {
  const { code, state, error } = takeQuery(page)
  const begun = begunIn(page, state)
  if (error !== null) return { state: 'refused', error }
  if (code === null) return { state: 'nothing' }
  if (!begun) return { state: 'refused', error: 'another-tab' }

  const { provider, codeVerifier } = begun
  const finalize = provider === 'provider-a' ? 'finalizeProviderACalendar' : 'finalizeProviderBCalendar'
  await client.call(finalize, { code, codeVerifier })
  return { state: 'connected', provider: provider === 'provider-a' ? 'a' : 'b' }
}

function begunIn(page: Page, state: string | null): { provider: string; codeVerifier: string } | undefined {
  if (state === null) return undefined
  const kept = page.storage.getItem(keyOf(state))
  page.storage.removeItem(keyOf(state))
  return kept === null ? undefined : (JSON.parse(kept) as { provider: string; codeVerifier: string })
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
