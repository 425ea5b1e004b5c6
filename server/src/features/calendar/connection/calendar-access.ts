import type { CalendarProvider } from '@atrium/contract'
import type { SignedInCaller } from '../../../access/caller.ts'
import { type Clock, secondsAfter } from '../../../platform/clock.ts'
import { ProviderFailure, Refusal } from '../../../platform/refusal.ts'
import { needsReseal } from '../../../platform/secrets/sealed-column.ts'
import type { CalendarAnswer, CalendarPort } from '../../../ports/calendar.ts'
import { reauthRequired } from '../refusals.ts'
import {
  type ConnectionKey,
  type ConnectionRecord,
  findConnection,
  requireReauth,
  resealTokens,
} from '../store.ts'
import type { ConnectionNeeds } from './connection-needs.ts'
import { requireOffered } from './offered-calendars.ts'
import { refreshTokens } from './refresh-tokens.ts'
import { openTokens, sealKept } from './tokens.ts'

/** What a connected calendar says, but for tokens and consent: those are seen to here. */
export type Finding<T> = Extract<CalendarAnswer<T>, { kind: 'answered' | 'not-found' }>

/** A person's calendars at a provider, ready to be asked. */
export interface CalendarAccess {
  /**
   * Asks, where the token is refused once more with a fresh one.
   * @throws Refusal conflict where the person has to consent again
   * @throws ProviderFailure
   */
  ask<T>(
    question: (port: CalendarPort, accessToken: string) => Promise<CalendarAnswer<T>>,
  ): Promise<Finding<T>>
}

/** Questions of one person that a provider is asked at a time. */
export const QUESTIONS_AT_A_TIME = 8

/** The caller waits: what was not asked by then is not asked any more. */
const ASKED_WITHIN_MS = 20_000

/** A token that ends so soon may have ended by the time it arrives. */
const FRESH_SECONDS = 60

/** @throws Refusal conflict where nothing is connected, or the person has to consent again */
export async function openCalendar(
  needs: ConnectionNeeds,
  caller: SignedInCaller,
  provider: CalendarProvider,
): Promise<CalendarAccess> {
  const key = { user: caller.user.id, provider }
  const [port, connection] = await Promise.all([
    requireOffered(needs, caller, provider),
    findConnection(needs.db, key, needs.clock.now()),
  ])
  return await openConnection(needs, key, port, connection)
}

/** The same for a connection that was found, or was not. */
export async function openConnection(
  needs: ConnectionNeeds,
  key: ConnectionKey,
  port: CalendarPort,
  connection: ConnectionRecord | undefined,
): Promise<CalendarAccess> {
  if (!connection) throw Refusal.of('calendar-not-connected')
  if (connection.reauthRequired) throw reauthRequired()
  let current = await withCurrentKey(needs, key, connection)
  if (endsSoon(current, needs.clock)) current = await refreshTokens(needs, port, key, current.sealedTokens)

  const late = AbortSignal.timeout(ASKED_WITHIN_MS)
  return {
    async ask(question) {
      if (late.aborted) {
        const cause = new Error('the questions before took all the time')
        throw new ProviderFailure(key.provider, 'read', { retryable: true, cause })
      }
      const first = current
      const answer = await question(port, accessTokenOf(needs, key, first))
      if (answer.kind !== 'token-refused') return await settled(needs, key, first, answer)
      // several questions may have been refused at once: the later ones find fresh tokens
      if (current === first) current = await refreshTokens(needs, port, key, first.sealedTokens)
      const second = current
      const again = await question(port, accessTokenOf(needs, key, second))
      return await settled(needs, key, second, again)
    },
  }
}

async function settled<T>(
  needs: ConnectionNeeds,
  key: ConnectionKey,
  connection: ConnectionRecord,
  answer: CalendarAnswer<T>,
): Promise<Finding<T>> {
  if (answer.kind === 'answered' || answer.kind === 'not-found') return answer
  await requireReauth(needs.db, key, connection.sealedTokens, needs.clock.now())
  throw reauthRequired()
}

function endsSoon({ accessExpiresAt }: ConnectionRecord, clock: Clock): boolean {
  return accessExpiresAt !== null && accessExpiresAt <= secondsAfter(clock.now(), FRESH_SECONDS)
}

function accessTokenOf(
  needs: ConnectionNeeds,
  key: ConnectionKey,
  { sealedTokens }: ConnectionRecord,
): string {
  const kept = openTokens(needs.calendarRing, key, sealedTokens)
  if (kept) return kept.accessToken
  needs.log.error({ provider: key.provider }, 'no key opens the tokens of a calendar connection')
  throw reauthRequired()
}

/** After a change of keys, the tokens in use are sealed with the current one. */
async function withCurrentKey(
  needs: ConnectionNeeds,
  key: ConnectionKey,
  connection: ConnectionRecord,
): Promise<ConnectionRecord> {
  const { calendarRing: ring } = needs
  if (!needsReseal(ring, connection.sealedTokens)) return connection
  const kept = openTokens(ring, key, connection.sealedTokens)
  if (!kept) return connection
  const sealed = { ...connection, sealedTokens: sealKept(ring, key, kept) }
  const replaced = await resealTokens(needs.db, key, connection.sealedTokens, sealed.sealedTokens)
  return replaced ? sealed : connection
}
