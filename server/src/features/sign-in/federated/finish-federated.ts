import type { Visitor } from '../../../access/caller.ts'
import { findOrganizationById } from '../../../directory/organizations.ts'
import { secondsAfter } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import { ProviderFailure } from '../../../platform/refusal.ts'
import { openOrNothing, seal } from '../../../platform/secrets/sealed-column.ts'
import { hashToken, newToken } from '../../../platform/secrets/secret.ts'
import type { AssertedIdentity } from '../../../ports/asserted-identity.ts'
import type { Obstructed, RedirectWay } from '../../../ports/identity.ts'
import { browserHashOf, renameBegun } from '../browser-binding.ts'
import { keepIdentity, type RedirectSignIn, takeReturned } from './redirect-store.ts'
import type { FederatedNeeds } from './start-federated.ts'

export interface ReturnNeeds extends FederatedNeeds {
  log: Log
}

/** Words for the front end. What the provider says about it is not repeated: it is not for people, and not ours. */
export type ReturnProblem =
  | 'sign-in-expired'
  | 'sign-in-cancelled'
  | 'sign-in-refused'
  | 'provider-unavailable'
  | Obstructed['obstacle']

export type Returned = { state: string; code: string } | { state: string; error: ReturnProblem }

const CODE_SECONDS = 60
const STATE = /^st_[\w-]{43}$/

/**
 * Takes what a browser brings back from a provider and hands it a code of ours: for one minute, for one use, and for
 * the browser that began. Where it comes back has to be where it was to come back: a code of one issuer, carried to
 * the address of another one, goes no further (mix-up).
 * @param returnPath where it came back to, after BASE_URL
 * @param query everything that was added to the address, as it came
 */
export async function finishFederatedSignIn(
  needs: ReturnNeeds,
  visitor: Visitor,
  returnPath: string,
  query: URLSearchParams,
): Promise<Returned> {
  const state = query.get('state') ?? ''
  const browserHash = browserHashOf(visitor, state)
  if (!STATE.test(state) || !browserHash) return { state: '', error: 'sign-in-expired' }
  const stateHash = hashToken(state)
  // Used up before anything is asked of the provider: what comes back twice is asked once.
  const started = await takeReturned(needs.db, { returnPath, stateHash, browserHash }, needs.clock.now())
  if (!started) return { state, error: 'sign-in-expired' }
  if (query.has('error')) {
    const cancelled = query.get('error') === 'access_denied'
    return { state, error: cancelled ? 'sign-in-cancelled' : 'sign-in-refused' }
  }
  const context = ['redirect_sign_ins.sealed_secrets', stateHash.toString('hex')] as const
  const secrets = openOrNothing(needs.redirectRing, started.sealedSecrets, context)?.toString()
  if (secrets === undefined) return { state, error: 'sign-in-expired' }
  const identity = await askProvider(needs, started, { state, secrets, returnPath, query })
  if (typeof identity === 'string') return { state, error: identity }
  const code = await codeFor(needs, started, identity)
  renameBegun(visitor, state, code)
  return { state, code }
}

async function askProvider(
  needs: ReturnNeeds,
  started: RedirectSignIn,
  answer: { state: string; secrets: string; returnPath: string; query: URLSearchParams },
): Promise<AssertedIdentity | ReturnProblem> {
  const way = await wayOfStarted(needs, started)
  if (!way) return 'sign-in-refused'
  const callbackUrl = new URL(`${needs.baseUrl}${answer.returnPath}`)
  callbackUrl.search = answer.query.toString()
  try {
    const { state, secrets } = answer
    const identity = await needs.identity.finishRedirect({ way, callbackUrl, state, secrets })
    if (identity && 'obstacle' in identity) return identity.obstacle
    return identity ?? 'sign-in-refused'
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    needs.log.warn({ err: error, way: started.way }, 'a provider did not answer the return of a sign-in')
    return 'provider-unavailable'
  }
}

async function wayOfStarted(needs: ReturnNeeds, started: RedirectSignIn): Promise<RedirectWay | undefined> {
  if (started.way !== 'sso') return { kind: started.way }
  const organization = started.organization && (await findOrganizationById(needs.db, started.organization))
  return organization ? { kind: 'sso', organization: organization.identityId } : undefined
}

async function codeFor(
  needs: ReturnNeeds,
  started: RedirectSignIn,
  identity: AssertedIdentity,
): Promise<string> {
  const code = newToken('code')
  await keepIdentity(needs.db, started.id, {
    codeHash: hashToken(code),
    codeExpiresAt: secondsAfter(needs.clock.now(), CODE_SECONDS),
    sealedIdentity: seal(needs.redirectRing, JSON.stringify(identity), [
      'redirect_sign_ins.sealed_identity',
      started.id,
    ]),
  })
  return code
}
