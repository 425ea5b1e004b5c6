import type { Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import { type ElsewhereNeeds, startElsewhere } from './start-elsewhere.ts'

interface Needs extends ElsewhereNeeds {}

/** Begins a sign-in at provider A. */
export async function continueWithProviderA(
  needs: Needs,
  caller: CallerOf<'continueWithProviderA'>,
): Promise<Reply<'continueWithProviderA'>> {
  const authData = await startElsewhere(needs, caller, { kind: 'provider-a' })
  return { status: 200, body: { authData } }
}
