import { secondsAfter } from '../../../platform/clock.ts'
import { ProviderFailure, Refusal } from '../../../platform/refusal.ts'
import { pause } from '../../../platform/timing/pause.ts'
import type { CalendarPort } from '../../../ports/calendar.ts'
import { calendarFailure, reauthRequired } from '../refusals.ts'
import {
  type ConnectionKey,
  type ConnectionRecord,
  claimRefresh,
  findConnection,
  releaseRefresh,
  replaceTokens,
  requireReauth,
} from '../store.ts'
import type { ConnectionNeeds } from './connection-needs.ts'
import { revokeConsent } from './revoke-consent.ts'
import { openTokens, sealTokens } from './tokens.ts'

/** Longer than a provider is given to answer, twice where the first answer is lost at once. */
const LEASE_SECONDS = 10
/** Longer than the lease: a request that waits for a node that died does the refresh in its place. */
const WAIT_FOR_OTHERS_MS = 12_000
/** An answer that is lost within this time is asked for once more under the same lease. */
const LOST_AT_ONCE_MS = 2_000
const LOOK_EVERY_MS = 100

/**
 * Gets fresh tokens in place of those that were seen. Requests that ask meanwhile, here or on another node, get the
 * same ones: the provider is asked once.
 * @throws Refusal conflict where the person has to consent again, or has disconnected meanwhile
 * @throws ProviderFailure
 */
export function refreshTokens(
  needs: ConnectionNeeds,
  port: CalendarPort,
  key: ConnectionKey,
  seen: Buffer,
): Promise<ConnectionRecord> {
  const { calendarFlights } = needs
  const name = `${key.user}/${key.provider}`
  const under = calendarFlights.get(name)
  if (under) return under
  const flight = refreshAlone(needs, port, key, seen).finally(() => calendarFlights.delete(name))
  calendarFlights.set(name, flight)
  return flight
}

async function refreshAlone(
  needs: ConnectionNeeds,
  port: CalendarPort,
  key: ConnectionKey,
  seen: Buffer,
): Promise<ConnectionRecord> {
  const patience = Date.now() + WAIT_FOR_OTHERS_MS
  for (;;) {
    const current = requireUsable(await findConnection(needs.db, key, needs.clock.now()))
    // another request was faster
    if (!current.sealedTokens.equals(seen)) return current
    const now = needs.clock.now()
    const until = secondsAfter(now, LEASE_SECONDS)
    if (await claimRefresh(needs.db, key, seen, { now, until }))
      return await exchange(needs, port, key, { seen, until })
    if (Date.now() > patience) throw calendarFailure('refresh')
    await pause(LOOK_EVERY_MS)
  }
}

async function exchange(
  needs: ConnectionNeeds,
  port: CalendarPort,
  key: ConnectionKey,
  { seen, until }: { seen: Buffer; until: Date },
): Promise<ConnectionRecord> {
  const refreshToken = openTokens(needs.calendarRing, key, seen)?.refreshToken
  const fresh = refreshToken ? await ask(needs, port, key, { refreshToken, seen, until }) : undefined
  if (!fresh) {
    await requireReauth(needs.db, key, seen, needs.clock.now())
    needs.log.info({ provider: key.provider }, 'a calendar connection needs consent again')
    // a connection that was made again meanwhile is as good as a refreshed one
    return requireUsable(await findConnection(needs.db, key, needs.clock.now()))
  }
  const tokens = sealTokens(needs, key, fresh, refreshToken)
  if (await replaceTokens(needs.db, key, seen, tokens, needs.clock.now()))
    return { ...tokens, reauthRequired: false }
  // disconnected meanwhile, or connected again: the fresh tokens belong to what is over
  const instead = await findConnection(needs.db, key, needs.clock.now())
  if (!instead) await revokeConsent(needs, key, tokens.sealedTokens)
  return requireUsable(instead)
}

async function ask(
  needs: ConnectionNeeds,
  port: CalendarPort,
  key: ConnectionKey,
  { refreshToken, seen, until }: { refreshToken: string; seen: Buffer; until: Date },
) {
  try {
    return await askTwice(() => port.refresh(refreshToken))
  } catch (error) {
    await releaseRefresh(needs.db, key, seen, until)
    throw error instanceof ProviderFailure ? calendarFailure('refresh', error) : error
  }
}

/**
 * A provider that gives a new refresh token with each access token ends the old one; in case its answer was lost, it
 * takes the old one for a moment longer. So the second question comes at once, before any other.
 */
async function askTwice<T>(question: () => Promise<T>): Promise<T> {
  const began = performance.now()
  try {
    return await question()
  } catch (error) {
    if (!(error instanceof ProviderFailure) || performance.now() - began > LOST_AT_ONCE_MS) throw error
    return await question()
  }
}

function requireUsable(connection: ConnectionRecord | undefined): ConnectionRecord {
  if (!connection) throw Refusal.of('calendar-not-connected')
  if (connection.reauthRequired) throw reauthRequired()
  return connection
}
