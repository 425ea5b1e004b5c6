import type { SignOnTestOutcome } from '@atrium/contract'
import { recordAudit } from '../../../access/audit/audit-trail.ts'
import type { SignedInCaller, Visitor } from '../../../access/caller.ts'
import { roleHolds } from '../../../access/permissions.ts'
import { listDomains } from '../../../directory/domains/domains.ts'
import { lockMembers } from '../../../directory/members/members.ts'
import { transaction } from '../../../platform/database/transaction.ts'
import { ProviderFailure } from '../../../platform/refusal.ts'
import { openOrNothing, type SealingContext } from '../../../platform/secrets/sealed-column.ts'
import { hashToken } from '../../../platform/secrets/secret.ts'
import type { AssertedIdentity } from '../../../ports/asserted-identity.ts'
import { browserHashOf } from '../browser-binding.ts'
import type { ReturnNeeds } from '../federated/finish-federated.ts'
import { judgeTest, type TestVerdict } from './rules.ts'
import { keepVerdict, takeReturnedTest } from './test-store.ts'

/** What the states of tests begin with: they come back to where sign-ins do, and are not to be taken for one. */
export const TEST_STATE = 'sot'
const STATE = /^sot_[\w-]{43}$/

type Ended = SignOnTestOutcome | 'expired'

export function isTestState(state: string | null): boolean {
  return state?.startsWith(`${TEST_STATE}_`) === true
}

export function testContext(stateHash: Buffer): SealingContext {
  return ['sso_tests.sealed_secrets', stateHash.toString('hex')]
}

/**
 * Takes what the browser of an administrator brings back from a test sign-in. It signs no user in, and looks for no
 * account: it keeps how the test has ended.
 * @param caller the session that comes with the browser
 * @param returnPath where it came back to, after BASE_URL
 * @param query everything that was added to the address, as it came
 */
export async function finishSignOnTest(
  needs: ReturnNeeds,
  visitor: Visitor,
  caller: Pick<SignedInCaller, 'session' | 'user' | 'organization'> | undefined,
  returnPath: string,
  query: URLSearchParams,
): Promise<Ended> {
  const state = query.get('state') ?? ''
  const browserHash = browserHashOf(visitor, state)
  const organization = caller?.organization
  if (!STATE.test(state) || !browserHash || !organization) return 'expired'
  // who may no longer set it up does not go on
  if (!roleHolds(organization.role, 'ManageSingleSignOn')) return 'expired'
  const stateHash = hashToken(state)
  const returned = { organization: organization.id, sessionId: caller.session.id, stateHash, browserHash }
  const test = await takeReturnedTest(needs.db, { ...returned, returnPath }, needs.clock.now())
  const secrets =
    test && openOrNothing(needs.redirectRing, test.sealedSecrets, testContext(stateHash))?.toString()
  if (!test || secrets === undefined) return 'expired'
  const { revision } = test
  const identity = await ask(needs, {
    organization: organization.identityId,
    revision,
    returnPath,
    query,
    state,
    secrets,
  })
  return await settle(needs, visitor, { caller, organization, testId: test.id, revision }, identity)
}

type Asserted = Awaited<ReturnType<typeof ask>>

/** Judges what the test has brought, and keeps it. */
async function settle(
  needs: ReturnNeeds,
  visitor: Visitor,
  test: {
    caller: Pick<SignedInCaller, 'user'>
    organization: NonNullable<SignedInCaller['organization']>
    testId: string
    revision: string | null
  },
  identity: Asserted,
): Promise<SignOnTestOutcome> {
  const { caller, organization, testId, revision } = test
  const now = needs.clock.now()
  return await transaction(needs.db, async (tx) => {
    await lockMembers(tx, organization.id)
    const verified = (await listDomains(tx, organization.id)).filter((one) => one.state === 'verified')
    const isVerified = (domain: string) => verified.some((one) => one.domain === domain)
    const judgement =
      typeof identity === 'string'
        ? without(identity)
        : judgeTest(identity, { ownEmail: caller.user.email, isVerified })
    const { outcome, domain } = judgement
    const endsSessions = typeof identity !== 'string' && identity.session !== null
    const kept =
      outcome !== 'passed' ||
      domain === null ||
      (await needs.identity.connections?.keepTest(
        tx,
        organization.identityId,
        { revision, domain, endsSessions },
        now,
      ))
    const verdict = kept ? judgement : without('settings-changed')
    await keepVerdict(tx, organization.id, testId, verdict)
    await recordAudit(tx, organization.id, { user: caller.user, ...placeOf(visitor) }, now, {
      action: 'single-sign-on.tested',
      target: { kind: 'organization', id: organization.identityId },
      detail: { outcome: verdict.outcome, of: revision === null ? 'in-force' : 'draft' },
    })
    return verdict.outcome
  })
}

function placeOf({ requestId, address }: Visitor): Pick<Visitor, 'requestId' | 'address'> {
  return { requestId, address }
}

function without(outcome: SignOnTestOutcome): TestVerdict {
  return { outcome, domain: null, emailVerified: false }
}

async function ask(
  needs: ReturnNeeds,
  answer: {
    organization: NonNullable<SignedInCaller['organization']>['identityId']
    revision: string | null
    returnPath: string
    query: URLSearchParams
    state: string
    secrets: string
  },
): Promise<AssertedIdentity | SignOnTestOutcome> {
  const { query, returnPath, ...rest } = answer
  if (query.has('error')) return query.get('error') === 'access_denied' ? 'cancelled' : 'refused'
  const callbackUrl = new URL(`${needs.baseUrl}${returnPath}`)
  callbackUrl.search = query.toString()
  try {
    const said = await needs.identity.connections?.finishTest({ ...rest, callbackUrl })
    return said === undefined || said === 'changed' ? 'settings-changed' : said
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    needs.log.warn({ err: error }, 'an issuer did not answer the return of a test')
    return 'issuer-unavailable'
  }
}
