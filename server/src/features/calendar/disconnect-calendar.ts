import type { SignedInCaller } from '../../access/caller.ts'
import type { Db } from '../../platform/database/database.ts'
import type { Log } from '../../platform/log.ts'
import type { KeyRing } from '../../platform/secrets/sealed-column.ts'
import type { CalendarPort } from '../../ports/calendar.ts'
import { type CalendarProvider, type ConnectionKey, deleteConnection, forgetCodes } from './store.ts'
import { openTokens } from './tokens.ts'

export interface DisconnectNeeds {
  db: Db
  log: Log
  calendarRing: KeyRing
  calendars: Partial<Record<CalendarProvider, CalendarPort>>
}

/** Forgets a connection, whatever state it is in, whether calendars are switched on or not. */
export async function forgetConnection(
  { db }: Pick<DisconnectNeeds, 'db'>,
  caller: SignedInCaller,
  provider: CalendarProvider,
): Promise<{ key: ConnectionKey; sealedTokens: Buffer | undefined }> {
  const key = { user: caller.user.id, provider }
  await forgetCodes(db, key)
  return { key, sealedTokens: await deleteConnection(db, key) }
}

/** Tells the provider that a connection which we have forgotten is over. That it does not hear of it changes nothing. */
export async function revokeConsent(
  needs: DisconnectNeeds,
  { key, sealedTokens }: { key: ConnectionKey; sealedTokens: Buffer | undefined },
): Promise<void> {
  const refreshToken = sealedTokens && openTokens(needs.calendarRing, key, sealedTokens)?.refreshToken
  if (!refreshToken) return
  try {
    await needs.calendars[key.provider]?.revoke(refreshToken)
  } catch (error) {
    needs.log.warn({ err: error, provider: key.provider }, 'a consent could not be revoked')
  }
}
