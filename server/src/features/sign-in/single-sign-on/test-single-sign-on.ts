import type { Reply } from '@atrium/contract'
import type { Budgets } from '../../../access/budgets/budgets.ts'
import type { CallerOf } from '../../../access/caller.ts'
import { secondsAfter } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import { ProviderFailure, Refusal } from '../../../platform/refusal.ts'
import { seal } from '../../../platform/secrets/sealed-column.ts'
import { hashToken, newToken } from '../../../platform/secrets/secret.ts'
import type { ConnectionsPort, StartedTest } from '../../../ports/connections.ts'
import { nameBrowser } from '../browser-binding.ts'
import { type FederatedNeeds, returnPathOf } from '../federated/start-federated.ts'
import { TEST_STATE, testContext } from './finish-sign-on-test.ts'
import { requireConnections } from './rules.ts'
import { insertTest } from './test-store.ts'

interface Needs extends FederatedNeeds {
  log: Pick<Log, 'warn'>
  budgets: Pick<Budgets, 'drawSignOnTrial'>
}

const BACK_WITHIN_SECONDS = 10 * 60

/**
 * Begins a test sign-in by the draft of the active organization, or else by what is in force: as a real one, with state,
 * nonce and PKCE, but bound to the caller's session, and good for no other.
 */
export async function testSingleSignOn(
  needs: Needs,
  caller: CallerOf<'testSingleSignOn'>,
): Promise<Reply<'testSingleSignOn'>> {
  const connections = requireConnections(needs.identity)
  const { id: organization, identityId } = caller.organization
  if (!isSetUp(await connections.find(needs.db, identityId))) throw Refusal.of('single-sign-on-not-set-up')
  await needs.budgets.drawSignOnTrial(caller, organization)
  const state = newToken(TEST_STATE)
  const redirectUri = `${needs.baseUrl}${returnPathOf('sso')}`
  const started = await start(needs, connections, { organization: identityId, state, redirectUri })
  const now = needs.clock.now()
  const stateHash = hashToken(state)
  const test = {
    organization,
    sessionId: caller.session.id,
    stateHash,
    browserHash: nameBrowser(caller, state),
    returnPath: started.redirectUri.slice(needs.baseUrl.length),
    sealedSecrets: seal(needs.redirectRing, started.secrets, testContext(stateHash)),
    revision: started.revision,
    expiresAt: secondsAfter(now, BACK_WITHIN_SECONDS),
  }
  await insertTest(needs.db, test, now)
  return { status: 200, body: { redirectURL: started.redirectURL } }
}

function isSetUp({ inForce, draft }: Awaited<ReturnType<ConnectionsPort['find']>>): boolean {
  return inForce !== null || draft !== null
}

async function start(
  needs: Needs,
  connections: ConnectionsPort,
  request: Parameters<ConnectionsPort['startTest']>[0],
): Promise<StartedTest> {
  try {
    const started = await connections.startTest(request)
    if (!started) throw Refusal.of('single-sign-on-not-set-up')
    return started
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    needs.log.warn({ err: error, organization: request.organization }, 'an issuer cannot be tested')
    throw Refusal.of('issuer-unusable')
  }
}
