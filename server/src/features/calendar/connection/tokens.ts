import { sql } from 'kysely'
import { type Clock, secondsAfter } from '../../../platform/clock.ts'
import { type KeyRing, openOrNothing, seal } from '../../../platform/secrets/sealed-column.ts'
import { type SealedPlace, sealedColumn } from '../../../platform/secrets/sealed-place.ts'
import type { CalendarTokens } from '../../../ports/calendar.ts'
import type { ConnectionKey, FreshTokens } from '../store.ts'

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
  const opened = openOrNothing(ring, sealed, contextOf(key))
  return opened && (JSON.parse(opened.toString()) as KeptTokens)
}

/** For a change of keys, which seals them again. */
export function sealedCalendarTokens(ring: KeyRing): SealedPlace {
  return sealedColumn({
    name: 'calendar tokens',
    ring,
    table: 'calendar_connections',
    column: 'sealed_tokens',
    key: ['user_id', 'provider'],
    contextOf: (row) => contextOf({ user: String(row.user_id), provider: String(row.provider) }),
    // a refresh holds on to the tokens that it has seen
    unlessHeld: sql<boolean>`refreshing_until is null`,
  })
}

function contextOf({ user, provider }: { user: string; provider: string }) {
  return ['calendar_connections.sealed_tokens', user, provider] as const
}
