import type { Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import { type FederatedNeeds, startFederatedSignIn } from './start-federated.ts'

interface Needs extends FederatedNeeds {}

/** Begins a sign-in at provider A. */
export async function continueWithProviderA(
  needs: Needs,
  caller: CallerOf<'continueWithProviderA'>,
): Promise<Reply<'continueWithProviderA'>> {
  const authData = await startFederatedSignIn(needs, caller, { kind: 'provider-a' })
  return { status: 200, body: { authData } }
}
