import { type Clock, secondsAfter } from '../../platform/clock.ts'
import { type KeyRing, open, seal, UnsealError } from '../../platform/secrets/sealed-column.ts'
import type { CalendarTokens } from '../../ports/calendar.ts'
import type { ConnectionKey, FreshTokens } from './store.ts'

/** Names the keys of this chapter. */
export const CALENDAR_KEYS = 'calendar-tokens'

/** What a connection is made of, as it is sealed. */
export interface KeptTokens {
  accessToken: string
  /** `null`: the provider has given none. */
  refreshToken: string | null
}

/** Fresh tokens as they are stored. Where no refresh token came with them, the one that was used stays good. */
export function sealTokens(
  { calendarRing, clock }: { calendarRing: KeyRing; clock: Clock },
  key: ConnectionKey,
  { accessToken, refreshToken, expiresInSeconds }: CalendarTokens,
  used: string | null = null,
): FreshTokens {
  const kept: KeptTokens = { accessToken, refreshToken: refreshToken ?? used }
  return {
    sealedTokens: sealKept(calendarRing, key, kept),
    renewable: kept.refreshToken !== null,
    accessExpiresAt: expiresInSeconds === null ? null : secondsAfter(clock.now(), expiresInSeconds),
  }
}

export function sealKept(ring: KeyRing, key: ConnectionKey, kept: KeptTokens): Buffer {
  return seal(ring, JSON.stringify(kept), contextOf(key))
}

/** @returns undefined where no key of ours opens them */
export function openTokens(ring: KeyRing, key: ConnectionKey, sealed: Buffer): KeptTokens | undefined {
  try {
    return JSON.parse(open(ring, sealed, contextOf(key)).toString()) as KeptTokens
  } catch (error) {
    if (error instanceof UnsealError) return undefined
    throw error
  }
}

function contextOf({ user, provider }: ConnectionKey) {
  return ['calendar_connections.sealed_tokens', user, provider] as const
}
