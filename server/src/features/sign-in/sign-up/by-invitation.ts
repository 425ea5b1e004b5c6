import { Refusal } from '../../../platform/refusal.ts'

/** Where SIGN_UP says `invitation`, nobody makes an account who was not invited. */
export function byInvitationOnly(): Refusal {
  return Refusal.of('sign-up-by-invitation')
}
