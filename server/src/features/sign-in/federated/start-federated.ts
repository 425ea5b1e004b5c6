import type { SocialProvider } from '@atrium/contract'
import type { Visitor } from '../../../access/caller.ts'
import type { OrganizationRef } from '../../../directory/organizations.ts'
import { type Clock, secondsAfter } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { type KeyRing, seal } from '../../../platform/secrets/sealed-column.ts'
import { hashToken, newToken } from '../../../platform/secrets/secret.ts'
import type { IdentityPort, RedirectWay } from '../../../ports/identity.ts'
import { nameBrowser } from '../browser-binding.ts'
import { insertRedirectSignIn, type WayName } from './redirect-store.ts'

export interface FederatedNeeds {
  db: Db
  clock: Clock
  identity: IdentityPort
  baseUrl: string
  /** Seals nonces and verifiers, and the person until they fetch their session. */
  redirectRing: KeyRing
}

/** Who to sign in at. */
export type FederatedWay = { kind: SocialProvider } | { kind: 'sso'; organization: OrganizationRef }

const BACK_WITHIN_SECONDS = 10 * 60

/**
 * Where providers send browsers back to, after BASE_URL: never from a request.
 * @param connection of single sign-on, where it has an address of its own
 */
export function returnPathOf(way: WayName, connection?: string): string {
  return `/auth/callback/${way}${connection === undefined ? '' : `/${connection}`}`
}

/**
 * Begins a sign-in at an issuer.
 * @throws Refusal not-found where this office does not offer it
 * @throws ProviderFailure
 */
export async function startFederatedSignIn(
  needs: FederatedNeeds,
  visitor: Visitor,
  way: FederatedWay,
  loginHint?: string,
): Promise<{ redirectURL: string; state: string }> {
  const state = newToken('st')
  const started = await needs.identity.startRedirect({
    way: wayOf(way),
    state,
    redirectUri: `${needs.baseUrl}${returnPathOf(way.kind)}`,
    ...(loginHint === undefined ? {} : { loginHint }),
  })
  if (!started)
    throw Refusal.of('not-found', { message: 'This office does not offer this way of signing in' })
  const now = needs.clock.now()
  const stateHash = hashToken(state)
  await insertRedirectSignIn(
    needs.db,
    {
      way: way.kind,
      organization: way.kind === 'sso' ? way.organization.id : null,
      stateHash,
      browserHash: nameBrowser(visitor, state),
      returnPath: started.redirectUri.slice(needs.baseUrl.length),
      sealedSecrets: seal(needs.redirectRing, started.secrets, [
        'redirect_sign_ins.sealed_secrets',
        stateHash.toString('hex'),
      ]),
      expiresAt: secondsAfter(now, BACK_WITHIN_SECONDS),
    },
    now,
  )
  return { redirectURL: started.redirectURL, state }
}

/** The same in the words of the port. */
function wayOf(way: FederatedWay): RedirectWay {
  return way.kind === 'sso' ? { kind: 'sso', organization: way.organization.identityId } : { kind: way.kind }
}
