import type { UserRecord } from '../../../directory/users.ts'
import { Refusal } from '../../../platform/refusal.ts'

/** Where SIGN_UP says `invitation`, only the invited make an account. */
export function byInvitationOnly(): Refusal {
  return Refusal.of('sign-up-by-invitation')
}

/**
 * Whether an address has an account that it may sign in to. Where sign-up is by invitation, an account that was never
 * proven is none: the visitor who named the address had no invitation, or has not used it yet.
 */
export function hasAccount(
  { signUpByInvitation }: { signUpByInvitation: boolean },
  account: UserRecord | undefined,
): boolean {
  return account !== undefined && (account.emailVerified || !signUpByInvitation)
}
