import { sealedReplies } from '../../access/idempotency/idempotency.ts'
import { sealedDrafts } from '../../adapters/local-identity/connection-drafts.ts'
import { sealedConnections } from '../../adapters/local-identity/connection-store.ts'
import type { Config } from '../../configuration/config.ts'
import { CALENDAR_KEYS, sealedCalendarTokens } from '../../features/calendar/connection/tokens.ts'
import { GUEST_KEYS, sealedGuestLinks } from '../../features/guests/invites/invite-token.ts'
import { INVITATION_KEYS, sealedInvitations } from '../../features/invitations/tokens.ts'
import { PUSH_KEYS, sealedPushKeys } from '../../features/push/push-keys.ts'
import { sealedSignIns } from '../../features/sign-in/sealed-places.ts'
import { sealedSecrets, WEBHOOK_KEYS } from '../../features/webhooks/secrets.ts'
import { sealedMails } from '../../platform/mail/mail-queue.ts'
import type { KeyRing } from '../../platform/secrets/sealed-column.ts'
import type { SealedPlace } from '../../platform/secrets/sealed-place.ts'
import { keyRingOf } from './key-rings.ts'

/** Everything that this office seals, wherever it rests: a test holds that no column is missing. */
export function sealedPlacesOf(config: Pick<Config, 'secretKeys'>): SealedPlace[] {
  const ringOf = (purpose: string): KeyRing => keyRingOf(config, purpose)
  return [
    sealedConnections(ringOf(CONNECTION_KEYS)),
    sealedDrafts(ringOf(CONNECTION_KEYS)),
    ...sealedInvitations(ringOf(INVITATION_KEYS)),
    sealedMails(ringOf(MAIL_KEYS)),
    ...sealedSecrets(ringOf(WEBHOOK_KEYS)),
    sealedPushKeys(ringOf(PUSH_KEYS)),
    sealedCalendarTokens(ringOf(CALENDAR_KEYS)),
    sealedGuestLinks(ringOf(GUEST_KEYS)),
    ...sealedSignIns(signInRingsOf(config)),
    sealedReplies(ringOf(REPLY_KEYS)),
  ]
}

/** Purposes of keys that no feature names. */
export const CONNECTION_KEYS = 'sso-connections'
export const MAIL_KEYS = 'mail-queue'
export const REPLY_KEYS = 'idempotent-replies'

/** What seals sign-ins under way. */
export function signInRingsOf(config: Pick<Config, 'secretKeys'>) {
  return {
    choiceRing: keyRingOf(config, 'pending-sign-in'),
    signUpRing: keyRingOf(config, 'pending-sign-up'),
    redirectRing: keyRingOf(config, 'redirect-sign-in'),
  }
}
