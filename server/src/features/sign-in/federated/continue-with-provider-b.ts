import type { Reply } from '@atrium/contract'
import type { CallerOf } from '../../../access/caller.ts'
import { type ElsewhereNeeds, startElsewhere } from './start-elsewhere.ts'

interface Needs extends ElsewhereNeeds {}

/** Begins a sign-in at provider B. */
export async function continueWithProviderB(
  needs: Needs,
  caller: CallerOf<'continueWithProviderB'>,
): Promise<Reply<'continueWithProviderB'>> {
  const authData = await startElsewhere(needs, caller, { kind: 'provider-b' })
  return { status: 200, body: { authData } }
}
