import type { UserRecord } from '../../../directory/users.ts'

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
