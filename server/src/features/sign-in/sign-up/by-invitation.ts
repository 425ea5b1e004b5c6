import { errorMeanings } from '@atrium/contract'
import { Refusal } from '../../../platform/refusal.ts'

/** Where SIGN_UP says `invitation`, nobody makes an account who was not invited. */
export function byInvitationOnly(): Refusal {
  return new Refusal('forbidden', errorMeanings['sign-up-by-invitation'].message, {
    error: 'sign-up-by-invitation',
  })
}
