import type { Reply, SocialProvider } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import { type FederatedNeeds, startFederatedSignIn } from './start-federated.ts'

export const continueWithProviderA = continueWithProvider('provider-a')
export const continueWithProviderB = continueWithProvider('provider-b')

/** Begins a sign-in at a provider. */
function continueWithProvider(kind: SocialProvider) {
  return async (
    needs: FederatedNeeds,
    caller: CallerOf<'continueWithProviderA' | 'continueWithProviderB'>,
  ): Promise<Reply<'continueWithProviderA' | 'continueWithProviderB'>> => {
    const authData = await startFederatedSignIn(needs, caller, { kind })
    return { status: 200, body: { authData } }
  }
}
