import type { AtriumClient, SuccessBody } from './index.ts'

/** What a sign-in needs of the page that it happens in. For tests, and for pages that navigate by themselves. */
export interface Page {
  /** Of this tab only. */
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  /** Sends the person to another page. */
  leaveFor(address: string): void
  /** The address of the page, with its query. */
  address: string
  /** Puts another address into the address bar, without a step of the history. */
  showAddress(address: string): void
}

export type SignInWay = { email: string } | { provider: 'a' | 'b' }

export type SignInStart =
  /** A code was mailed: ask for it, then `signInWithCode`. */
  | { next: 'code' }
  /** The page is being left; `finishSignIn` goes on at `/auth/complete`. */
  | { next: 'leaving' }

export interface OrganizationChoice {
  id: string
  name: string
}

type Finalized = SuccessBody<'finalizeOauth'>

export type SignInEnd =
  | ({ state: 'signed-in' } & Finalized)
  /** Several organizations: `choose` one of them, within ten minutes. */
  | {
      state: 'choose'
      organizations: OrganizationChoice[]
      choose(organizationId: string): Promise<{ state: 'signed-in' } & Finalized>
    }

export type RedirectEnd =
  | ({ state: 'signed-in' } & Finalized)
  /** `error`: the word of the provider or the office, or `another-sign-in`: nothing of this kind was begun in this tab. */
  | { state: 'refused'; error: string }
  /** The address has neither a code nor an error. */
  | { state: 'nothing' }

/** The same place as the pages of the office use: either may finish what the other began. */
const STATE_KEY = 'atrium-state'

/**
 * Begins a sign-in in one call: keeps the `state` that the office gave, and leaves for the provider or the
 * organization's single sign-on, or says that a code was mailed. PKCE and nonce are between the office and the provider.
 * Rejects as `call` does.
 */
export async function startSignIn(
  client: AtriumClient,
  way: SignInWay,
  page: Page = thisPage(),
): Promise<SignInStart> {
  const authData = await begin(client, way)
  if (!('redirectURL' in authData)) return { next: 'code' }

  page.storage.setItem(STATE_KEY, authData.state)
  page.leaveFor(authData.redirectURL)
  return { next: 'leaving' }
}

async function begin(client: AtriumClient, way: SignInWay) {
  if ('email' in way) return (await client.call('signIn', { email: way.email })).authData
  const operation = way.provider === 'a' ? 'continueWithProviderA' : 'continueWithProviderB'
  return (await client.call(operation)).authData
}

/**
 * Finishes at `/auth/complete` what `startSignIn` began in this tab, and takes the code out of the address bar.
 * Rejects as `call` does.
 */
export async function finishSignIn(client: AtriumClient, page: Page = thisPage()): Promise<RedirectEnd> {
  const { code, state, error } = takeQuery(page)
  const begun = page.storage.getItem(STATE_KEY)
  page.storage.removeItem(STATE_KEY)
  if (error !== null) return { state: 'refused', error }
  if (code === null) return { state: 'nothing' }
  if (begun === null || begun !== state) return { state: 'refused', error: 'another-sign-in' }

  return { state: 'signed-in', ...(await client.call('finalizeOauth', { code })) }
}

/** Finishes a sign-in or sign-up with the code of the mail. Rejects as `call` does. */
export async function signInWithCode(
  client: AtriumClient,
  input: { email: string; code: string },
): Promise<SignInEnd> {
  const { user, ...outcome } = await client.call('finalizeMagicAuth', input)
  if (!('pendingAuthenticationToken' in user)) return { state: 'signed-in', user, ...outcome }

  const { pendingAuthenticationToken, organizations } = user
  return {
    state: 'choose',
    organizations,
    async choose(organizationId) {
      const chosen = { pendingAuthenticationToken, organizationId }
      return { state: 'signed-in', ...(await client.call('selectOrganization', chosen)), ...outcome }
    },
  }
}

/** Takes what came back out of the address bar, where it would be bookmarked, shared and sent as a referrer. */
export function takeQuery(page: Page): Record<'code' | 'state' | 'error', string | null> {
  const address = new URL(page.address)
  const [code, state, error] = ['code', 'state', 'error'].map((name) => address.searchParams.get(name))
  page.showAddress(address.pathname)
  return { code: code ?? null, state: state ?? null, error: error ?? null }
}

/** The page that this script runs in. */
export function thisPage(): Page {
  return {
    storage: sessionStorage,
    leaveFor: (address) => location.assign(address),
    address: location.href,
    showAddress: (address) => history.replaceState(null, '', address),
  }
}
