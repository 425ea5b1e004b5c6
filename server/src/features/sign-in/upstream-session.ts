import type { IdentityOrganizationId } from '../../platform/ids.ts'
import { ProviderFailure } from '../../platform/refusal.ts'
import { type KeyRing, openOrNothing, seal } from '../../platform/secrets/sealed-column.ts'
import type { IdentityPort, ProvenIdentity } from '../../ports/identity.ts'
import { unobstructed } from './obstacles.ts'

/** What the identity provider keeps of a sign-in: its own session, or the choice that begins one. */
export type Upstream = Pick<ProvenIdentity, 'session' | 'choice'>

/**
 * The provider's own session for the place that a user works in; it begins now where it waited for the choice.
 * @returns session: null where there is none to end later; undefined where the provider does not let them in there
 * @throws ProviderFailure, or Refusal where something stands in between
 */
export async function enterUpstream(
  identity: Pick<IdentityPort, 'chooseOrganization'>,
  { session, choice }: Upstream,
  organization: IdentityOrganizationId | null,
): Promise<{ session: string | null } | undefined> {
  if (!choice || !organization) return { session }
  return unobstructed(await identity.chooseOrganization({ choice, organization }))
}

/**
 * As `enterUpstream`, where what proved the sign-in is spent: no user loses their sign-in to a provider that is away
 * just now. It has begun no session then that would have to be ended later.
 */
export async function enterUpstreamOrGoOn(
  ...asked: Parameters<typeof enterUpstream>
): Promise<{ session: string | null } | undefined> {
  try {
    return await enterUpstream(...asked)
  } catch (error) {
    if (error instanceof ProviderFailure) return { session: null }
    throw error
  }
}

/** Null where there is nothing to keep. */
export function sealUpstream(ring: KeyRing, { session, choice }: Upstream, tokenHash: Buffer): Buffer | null {
  if (session === null && choice === null) return null
  return seal(ring, JSON.stringify({ session, choice }), contextOf(tokenHash))
}

/** Undefined where it was sealed under a SECRET_KEY that is no longer ours. */
export function openUpstream(ring: KeyRing, sealed: Buffer | null, tokenHash: Buffer): Upstream | undefined {
  if (!sealed) return { session: null, choice: null }
  const opened = openOrNothing(ring, sealed, contextOf(tokenHash))
  return opened && (JSON.parse(opened.toString()) as Upstream)
}

function contextOf(tokenHash: Buffer): [string, string] {
  return ['pending_sign_ins.sealed_upstream', tokenHash.toString('hex')]
}
