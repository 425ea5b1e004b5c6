import { botEventNames, type Input } from '@atrium/contract'
import type { Retry } from '../../platform/background/work-queue.ts'
import { DAY_SECONDS, HOUR_SECONDS } from '../../platform/clock.ts'
import { mayBePublic } from '../../platform/outside/public-fetch.ts'
import { invalidInput, Refusal } from '../../platform/refusal.ts'
import { webAddress } from '../../platform/text/unicode.ts'

/** How long the former secret signs beside a new one. */
export const FORMER_SECRET_SECONDS = DAY_SECONDS

/** How long delivery of an event is tried, and how long a webhook may fail before it is switched off. */
export const TRIED_SECONDS = DAY_SECONDS

/** Of a webhook that fails; a receiver that is back hears within the longest pause. */
export const RETRY: Retry = { firstSeconds: 5, lastSeconds: 10 * 60 }

/** A receiver is left in peace for as long as it asks, up to this. */
export const RETRY_AFTER_MAX_SECONDS = HOUR_SECONDS

/** How long what a test has carried may be answered or entered. */
export const CHALLENGE_SECONDS = DAY_SECONDS

/** How many wrong answers are allowed. */
export const CHALLENGE_TRIES = 5

/**
 * The address that events are sent to, as a URL writes it.
 * @param publicOnly whether it has to be one that the internet reaches by https; who stands behind a name is judged when it is called
 * @throws Refusal invalid, address-not-public
 */
export function requireUrl(text: string, publicOnly: boolean): string {
  const url = webAddress(text)
  const schemes = publicOnly ? ['https:'] : ['https:', 'http:']
  if (!url)
    throw invalidInput([{ field: 'url', message: 'Enter an address such as https://hooks.example/atrium' }])
  if (!schemes.includes(url.protocol) || url.hostname === '')
    throw invalidInput([{ field: 'url', message: 'Enter an address that begins with https://' }])
  if (url.username !== '' || url.password !== '')
    throw invalidInput([{ field: 'url', message: 'Enter an address without user name and password' }])
  if (publicOnly && !mayBePublic(url.hostname)) throw Refusal.of('address-not-public')
  url.hash = ''
  return url.href
}

/**
 * Each once, in the order of the alphabet.
 * @param bot whether the endpoint is of a bot, and may be sent what that hears
 * @throws Refusal invalid
 */
export function distinctEvents(events: Input<'createWebhook'>['events'], bot: boolean): string[] {
  const ofBots = events.findIndex((event) => botEventNames.includes(event))
  if (!bot && ofBots >= 0)
    throw invalidInput([{ field: `events.${ofBots}`, message: 'Only the webhook of a bot can be sent this' }])
  return [...new Set(events)].sort()
}

/** What an answer says: taken, never to be tried again there, the receiver in trouble, or this one event refused. */
export type Verdict = 'taken' | 'gone' | 'trouble' | 'refused'

/** @param status undefined: there was no answer */
export function verdictOf(status: number | undefined): Verdict {
  if (status === undefined || status >= 500 || status === 429 || status === 408) return 'trouble'
  if (status >= 200 && status <= 299) return 'taken'
  return status === 410 ? 'gone' : 'refused'
}
