import { decodeJwt } from 'jose'
import type { IdentityOrganizationId } from '../../platform/ids.ts'
import { fieldsOf } from '../../platform/outside/outside-fields.ts'
import type { Obstructed } from '../../ports/identity.ts'
import { choiceOf, organizationOf, type Person, personOf } from './answers.ts'
import { ask, codeOf, statusOf } from './failures.ts'

/** A person whom WorkOS has seen prove who they are. */
export interface Authenticated extends Person {
  /** Where it signed them in to; null: nowhere, or it asks which of several, which is ours to ask. */
  organization: IdentityOrganizationId | null
  /** Its own session, to be ended with ours. */
  session: string | null
  /** What it wants back with the answer to the question which of several; it begins its session then. */
  choice: string | null
}

interface Answer {
  user: unknown
  /** The SDK says that it is left out where there is none; it is null. */
  organizationId?: string | null
  accessToken: string
}

/** Its words for a credential that does not fit. Everything else is its fault or ours, never the person's. */
const REFUSED = new Set([
  'invalid_one_time_code',
  'one_time_code_expired',
  'one_time_code_previously_used',
  'one_time_code_too_many_attempts',
  'invalid_grant',
  'profile_not_allowed_outside_organization',
  'invalid_pending_authentication_token',
])
/** Its words for a proof that fits and is not enough. */
const OBSTACLES: Record<string, Obstructed['obstacle']> = {
  email_verification_required: 'email-not-proven',
  mfa_enrollment: 'second-factor-required',
  mfa_challenge: 'second-factor-required',
  passkey_progressive_enrollment: 'second-factor-required',
  radar_challenge: 'second-factor-required',
  radar_sign_up_challenge: 'second-factor-required',
  sso_required: 'single-sign-on-required',
  authentication_method_not_allowed: 'sign-in-method-not-accepted',
  organization_authentication_methods_required: 'sign-in-method-not-accepted',
}
const SELECTION = 'organization_selection_required'
/** Its words for a place that it has not been told of yet. */
const NO_PLACE = new Set(['organization_membership_not_found', 'organization_not_found'])

/**
 * Runs one of its grants.
 * @returns undefined where the credential does not fit
 * @throws ProviderFailure
 */
export async function authenticated(
  action: string,
  grant: () => Promise<Answer>,
): Promise<Authenticated | Obstructed | undefined> {
  const expected = (error: unknown) =>
    isSelection(error) || isRefused(error) || obstacleOf(error) !== undefined
  try {
    const answer = await ask(action, grant, expected)
    return known(answer.user, { ...placeOf(answer), choice: null })
  } catch (error) {
    // The proof came first: which organization it shall be is asked by us.
    if (isSelection(error)) {
      const place = { organization: null, session: null, choice: choiceOf(error) }
      return known(fieldsOf((error as { rawData?: unknown }).rawData).user, place)
    }
    if (isRefused(error)) return undefined
    return obstructed(error)
  }
}

/** The session that it begins in a chosen organization; as `IdentityPort.chooseOrganization` answers. */
export async function chosen(
  grant: () => Promise<Answer>,
): Promise<{ session: string | null } | Obstructed | undefined> {
  const isNoPlace = (error: unknown) => NO_PLACE.has(codeOf(error) ?? '')
  const expected = (error: unknown) => isNoPlace(error) || isRefused(error) || obstacleOf(error) !== undefined
  try {
    const answer = await ask('authenticateWithOrganizationSelection', grant, expected)
    return { session: sessionOf(answer.accessToken) }
  } catch (error) {
    if (isNoPlace(error)) return { session: null }
    if (isRefused(error)) return undefined
    return obstructed(error)
  }
}

/** @throws what is no obstacle */
function obstructed(error: unknown): Obstructed {
  const obstacle = obstacleOf(error)
  if (!obstacle) throw error
  return { obstacle }
}

function obstacleOf(error: unknown): Obstructed['obstacle'] | undefined {
  return OBSTACLES[codeOf(error) ?? '']
}

function isSelection(error: unknown): boolean {
  return statusOf(error) === 403 && codeOf(error) === SELECTION
}

function isRefused(error: unknown): boolean {
  return REFUSED.has(codeOf(error) ?? '')
}

function known(user: unknown, place: Omit<Authenticated, keyof Person>): Authenticated | Obstructed {
  const person = personOf(user)
  return person ? { ...person, ...place } : { obstacle: 'identity-unusable' }
}

function placeOf(answer: Answer) {
  return {
    organization: organizationOf(answer.organizationId) ?? null,
    session: sessionOf(answer.accessToken),
  }
}

/** Read, not believed: it names a session for the logout address and proves nothing. */
function sessionOf(accessToken: string): string | null {
  try {
    const { sid } = decodeJwt(accessToken)
    return typeof sid === 'string' && /^session_\w{10,64}$/.test(sid) ? sid : null
  } catch {
    return null
  }
}
