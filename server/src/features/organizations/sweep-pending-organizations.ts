import { type Clock, secondsAfter } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import type { Log } from '../../platform/log.ts'
import { ProviderFailure } from '../../platform/refusal.ts'
import type { IdentityPort } from '../../ports/identity.ts'
import { forgetPendingOrganization, giveUpPendingOrganizations } from './pending-organizations.ts'

interface Needs {
  db: Db
  clock: Clock
  log: Pick<Log, 'info'>
  identity: Pick<IdentityPort, 'discardOrganization'>
}

/** Far longer than any request lives. */
const GIVEN_UP_AFTER_SECONDS = 10 * 60

/**
 * Takes away organizations that were made at the identity provider and never became ours: this office was killed in
 * between, or the provider failed half-way. A provider that does not answer is asked again by the next round.
 */
export async function sweepPendingOrganizations(needs: Needs, signal: AbortSignal): Promise<void> {
  const now = needs.clock.now()
  const keys = await giveUpPendingOrganizations(needs.db, secondsAfter(now, -GIVEN_UP_AFTER_SECONDS), now)
  let failure: ProviderFailure | undefined
  for (const key of keys) {
    if (signal.aborted) return
    try {
      await needs.identity.discardOrganization({ key })
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error
      // one that is refused for good holds up none of the others
      failure = error
      continue
    }
    await forgetPendingOrganization(needs.db, key)
    needs.log.info(
      { key },
      'an organization whose creation did not finish was removed from the identity provider',
    )
  }
  if (failure) throw failure
}
