import type { CalendarProvider } from '@atrium/contract'
import type { Log } from '../../../platform/log.ts'
import type { KeyRing } from '../../../platform/secrets/sealed-column.ts'
import type { CalendarPort } from '../../../ports/calendar.ts'
import type { ConnectionKey } from '../store.ts'
import { openTokens } from './tokens.ts'

export interface RevokeNeeds {
  log: Log
  calendarRing: KeyRing
  calendars: Partial<Record<CalendarProvider, CalendarPort>>
}

/**
 * Has the provider revoke the consent of a connection that we have forgotten. That it does not hear of it changes
 * nothing. At provider A the consent stays, as the interface has it.
 */
export async function revokeConsent(
  needs: RevokeNeeds,
  key: ConnectionKey,
  sealedTokens: Buffer,
): Promise<void> {
  if (key.provider === 'provider-a') return
  const refreshToken = openTokens(needs.calendarRing, key, sealedTokens)?.refreshToken
  if (!refreshToken) return
  try {
    await needs.calendars[key.provider]?.revoke(refreshToken)
  } catch (error) {
    needs.log.warn({ err: error, provider: key.provider }, 'a consent could not be revoked')
  }
}
