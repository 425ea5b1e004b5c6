import { type Role, roles } from '@atrium/contract'
import { rankOf } from '../../../access/permissions.ts'
import { isEmail, normalizeEmail } from '../../../directory/email-address.ts'
import { type Complex, isComplex } from '../protocol/attributes.ts'
import { invalid } from '../protocol/faults.ts'
import type { Wanted } from '../protocol/read-resource.ts'
import { type DirectoryPerson, type DirectoryView, shownEmail } from './user-store.ts'

/** What a directory wants a user to be. */
export interface WantedUser extends DirectoryView {
  /** Normalized. */
  email: string
  active: boolean
}

/**
 * Reads it from a resource. What is not said of being active stays as it was, and so does the address, once one was said:
 * until then the userName is the address.
 * @param before undefined for a new user
 * @throws ScimFault invalidValue
 */
export function readWanted(
  { resource, unsaid }: Pick<Wanted, 'resource' | 'unsaid'>,
  before: DirectoryPerson | undefined,
): WantedUser {
  const userName = textOf(resource.userName)
  if (userName === null) throw invalid('invalidValue', 'userName is missing')
  const chosen = chooseEmail(resource)
  const said = unsaid.has('emails') ? null : textOf(chosen?.value)
  const email = normalizeEmail(said ?? unsaidEmail(userName, before))
  if (email === undefined) throw invalid('invalidValue', 'emails has no valid address, and userName is none')
  const name = isComplex(resource.name) ? resource.name : {}
  return {
    userName,
    externalId: textOf(resource.externalId),
    givenName: textOf(name.givenName),
    familyName: textOf(name.familyName),
    displayName: textOf(resource.displayName),
    emailType: textOf(chosen?.type) ?? before?.emailType ?? 'work',
    emailPrimary: typeof chosen?.primary === 'boolean' ? chosen.primary : (before?.emailPrimary ?? true),
    emailSaid: said !== null || (before?.emailSaid ?? false),
    email,
    active: typeof resource.active === 'boolean' ? resource.active : isActive(before),
  }
}

/** The address where a directory says none now: a name that is none changes nothing. */
function unsaidEmail(userName: string, before: DirectoryPerson | undefined): string {
  if (!before) return userName
  const isRenamed = userName !== before.userName && isEmail(userName)
  return isRenamed && !before.emailSaid ? userName : shownEmail(before)
}

/** The role that a directory says, the highest of several; undefined where it says none that there is. */
export function saidRole({ roles: said }: Complex): Role | undefined {
  const values = (Array.isArray(said) ? said : [])
    .filter(isComplex)
    .map(({ value }) => textOf(value)?.toLowerCase())
  return roles.filter((role) => values.includes(role)).sort((one, other) => rankOf(other) - rankOf(one))[0]
}

/** A new user is active unless it is said otherwise. */
function isActive(before: DirectoryPerson | undefined): boolean {
  return before === undefined || before.membership?.status === 'active'
}

/** Of several addresses the primary one, else that of work, else the first. */
function chooseEmail({ emails }: Complex): Complex | undefined {
  const all = (Array.isArray(emails) ? emails : [])
    .filter(isComplex)
    .filter(({ value }) => textOf(value) !== null)
  return all.find(({ primary }) => primary === true) ?? all.find(({ type }) => type === 'work') ?? all[0]
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}
