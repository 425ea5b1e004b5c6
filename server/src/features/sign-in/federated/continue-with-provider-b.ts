import type { Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import { type FederatedNeeds, startFederatedSignIn } from './start-federated.ts'

interface Needs extends FederatedNeeds {}

/** Begins a sign-in at provider B. */
export async function continueWithProviderB(
  needs: Needs,
  caller: CallerOf<'continueWithProviderB'>,
): Promise<Reply<'continueWithProviderB'>> {
  const authData = await startFederatedSignIn(needs, caller, { kind: 'provider-b' })
  return { status: 200, body: { authData } }
}
