import {
  type IdentityOrganizationId,
  type IdentityUserId,
  parseIdentityOrganizationId,
  parseIdentityUserId,
} from '../../platform/ids.ts'
import { fieldsOf, identifierOf, textOf, wholeTextOf } from '../../platform/outside/outside-fields.ts'
import type { ProviderMembership } from '../../ports/identity-news.ts'
import { malformed } from './failures.ts'

/** What WorkOS says, read within bounds. The SDK gives its types to any answer. */

const EMAIL_LENGTH_MAX = 320
const NAME_LENGTH_MAX = 100
const DOMAIN_LENGTH_MAX = 253
/** A name of a place in a list; what it wants back with a choice is a token of a few hundred characters. */
const CURSOR_LENGTH_MAX = 256
const CHOICE_LENGTH_MAX = 4_096
export const STATUSES: ProviderMembership['status'][] = ['active', 'pending', 'inactive']
const ROLES = ['guest', 'member', 'moderator', 'admin'] as const

export interface Person {
  userId: IdentityUserId
  email: string
  emailVerified: boolean
  firstName: string
  lastName: string
}

/**
 * A person as the SDK shows them, or as the raw answer does.
 * @returns undefined where their id identifies no one, or could not be kept
 * @throws ProviderFailure where it is no answer about a person
 */
export function personOf(given: unknown): Person | undefined {
  const user = fieldsOf(given)
  const email = wholeTextOf(user.email, EMAIL_LENGTH_MAX)
  if (typeof user.id !== 'string' || email === '') throw malformed('user')
  const userId = parseIdentityUserId(user.id)
  if (!userId) return undefined
  return {
    userId,
    email,
    emailVerified: (user.emailVerified ?? user.email_verified) === true,
    firstName: textOf(user.firstName ?? user.first_name, NAME_LENGTH_MAX),
    lastName: textOf(user.lastName ?? user.last_name, NAME_LENGTH_MAX),
  }
}

/** @throws ProviderFailure where it is no id of a user */
export function requireUserId(id: unknown): IdentityUserId {
  const parsed = typeof id === 'string' ? parseIdentityUserId(id) : undefined
  if (!parsed) throw malformed('user id')
  return parsed
}

/** Undefined where it names none. */
export function organizationOf(id: unknown): IdentityOrganizationId | undefined {
  return typeof id === 'string' ? parseIdentityOrganizationId(id) : undefined
}

/** A person's standing in an organization; undefined for a standing that is unknown to us. */
export function standingOf(given: unknown): ProviderMembership | undefined {
  const { role, status } = fieldsOf(given)
  const known = STATUSES.find((one) => one === status)
  const slug = fieldsOf(role).slug
  return known && { role: ROLES.find((one) => one === slug), status: known }
}

/** A verified address; undefined where it has none, or does not say that it is verified. */
export function verifiedEmailOf(given: unknown): string | undefined {
  const { email, emailVerified } = fieldsOf(given)
  return emailVerified === true ? wholeTextOf(email, EMAIL_LENGTH_MAX) || undefined : undefined
}

/** A domain; `""` where it is none. */
export function domainOf(given: unknown): string {
  return wholeTextOf(fieldsOf(given).domain, DOMAIN_LENGTH_MAX)
}

/** Where a list goes on; null at its end. @throws ProviderFailure where that cannot be said back to it */
export function cursorOf(after: unknown): string | null {
  if (after === null || after === undefined) return null
  const cursor = identifierOf(after, CURSOR_LENGTH_MAX)
  if (cursor === undefined) throw malformed('next page')
  return cursor
}

/** What it wants back with the choice of an organization. */
export function choiceOf(given: unknown): string | null {
  return (
    identifierOf(
      (given as { pendingAuthenticationToken?: unknown }).pendingAuthenticationToken,
      CHOICE_LENGTH_MAX,
    ) ?? null
  )
}
