import type { Recording } from '@atrium/contract'
import { secondsAfter } from '../../platform/clock.ts'
import { Refusal } from '../../platform/refusal.ts'
import { lastedSeconds } from '../../platform/timing/lasted.ts'

export type RecordingState = Recording['state']
/** Where the file of a completed recording lies: in our store, or where its recorder has put it instead. */
export type StoredPlace = NonNullable<Recording['stored']>

/** States in which a room is being recorded, in the order in which they come. */
export const RUNNING_STATES = ['starting', 'active', 'stopping'] as const

/** What is known of a recording that is judged. */
export interface KnownRecording {
  state: RecordingState
  presumed: boolean
  requestedAt: Date
  stopRequestedAt: Date | null
  startedAt: Date | null
  endedAt: Date | null
  sizeBytes: number | null
  durationSeconds: number | null
  fileLocation: string | null
  stored: StoredPlace | null
  fileKey: string
}

/** News of a recording, from any source. */
export interface RecordingNews {
  state: RecordingState
  startedAt?: Date | undefined
  endedAt?: Date | undefined
  sizeBytes?: number | undefined
  durationSeconds?: number | undefined
  fileLocation?: string | undefined
  stored?: StoredPlace | undefined
  /** Where it is, if not where it was asked to be. */
  fileKey?: string | undefined
  failure?: string | undefined
}

/** Columns that change. */
export interface RecordingChange {
  state?: RecordingState
  presumed?: boolean
  startedAt?: Date
  endedAt?: Date | null
  sizeBytes?: number
  durationSeconds?: number
  fileLocation?: string
  stored?: StoredPlace
  fileKey?: string
  failure?: string | null
}

export function isRunning(state: RecordingState): boolean {
  return (RUNNING_STATES as readonly string[]).includes(state)
}

export function noSuchRecording(): Refusal {
  return Refusal.of('not-found', { message: 'There is no such recording' })
}

/**
 * What news change. States only go forward, and the first end counts: later news of an end only add what is not known
 * yet. Except where the end was a conclusion of ours: any news of the media server are better.
 */
export function judgeNews(known: KnownRecording, told: RecordingNews, now: Date): RecordingChange {
  const news = withTimesBelieved(known, told, now)
  const details = detailsOf(known, news)
  const wasRunning = isRunning(known.state)
  if (!wasRunning && !known.presumed) {
    const isSameEnd = known.state === news.state && news.state === 'completed'
    return isSameEnd ? details : {}
  }
  if (isRunning(news.state)) {
    if (!wasRunning) {
      // told to stop, it is not taken up again: it only takes long to end
      if (known.stopRequestedAt !== null) return details
      return { ...details, state: news.state, presumed: false, endedAt: null, failure: null }
    }
    return isLater(news.state, known.state) ? { ...details, state: news.state } : details
  }
  return {
    ...details,
    state: news.state,
    presumed: false,
    endedAt: news.endedAt ?? now,
    failure: news.failure ?? null,
    ...durationOf(known, news),
  }
}

/** Of a recorder from ours, as far as that is nothing to worry about; some tell whole seconds. */
const CLOCKS_DIFFER_SECONDS = 60

/**
 * A clock that is wrong by years neither ends a recording before it began, as its film would be removed at once, nor keeps
 * it for ever: what lies well before its request or its beginning, or is still to come, is not told.
 */
function withTimesBelieved(known: KnownRecording, news: RecordingNews, now: Date): RecordingNews {
  const believed = (moment: Date | undefined, from: Date) => {
    if (!moment || moment > now || moment < secondsAfter(from, -CLOCKS_DIFFER_SECONDS)) return undefined
    return moment < from ? from : moment
  }
  // of one that runs, it is told as it begins
  const orNow = news.startedAt && isRunning(news.state) ? now : undefined
  const startedAt = believed(news.startedAt, known.requestedAt) ?? orNow
  const begun = known.startedAt ?? startedAt ?? known.requestedAt
  return { ...news, startedAt, endedAt: believed(news.endedAt, begun) }
}

function isLater(state: RecordingState, than: RecordingState): boolean {
  const order: readonly string[] = RUNNING_STATES
  return order.indexOf(state) > order.indexOf(than)
}

/** Only what is told and not known yet. */
function detailsOf(known: KnownRecording, news: RecordingNews): RecordingChange {
  const durationSeconds = lastedSeconds({ told: news.durationSeconds })
  return {
    ...(known.startedAt === null && news.startedAt ? { startedAt: news.startedAt } : {}),
    ...(known.sizeBytes === null && news.sizeBytes !== undefined ? { sizeBytes: news.sizeBytes } : {}),
    ...(known.durationSeconds === null && durationSeconds !== undefined ? { durationSeconds } : {}),
    ...(known.fileLocation === null && news.fileLocation ? { fileLocation: news.fileLocation } : {}),
    ...(known.stored === null && news.stored ? { stored: news.stored } : {}),
    ...(known.stored === null && news.fileKey !== undefined && news.fileKey !== known.fileKey
      ? { fileKey: news.fileKey }
      : {}),
  }
}

/** How long a film is that has not been measured: from its beginning to its end. */
function durationOf(known: KnownRecording, news: RecordingNews): RecordingChange {
  if (news.state !== 'completed' || known.durationSeconds !== null) return {}
  const since = [news.startedAt, known.startedAt]
  const durationSeconds = lastedSeconds({ told: news.durationSeconds, since, until: news.endedAt })
  return durationSeconds === undefined ? {} : { durationSeconds }
}

/** A start of which nothing was heard for so long has failed. */
export const START_WITHIN_SECONDS = 120
/** A recorder that says for so long that it starts never will. */
export const STARTING_FOR_SECONDS = 10 * 60
/** A recorder that has not ended so long after it was told to is not there any more: longer than any upload takes. */
export const STOPPING_FOR_SECONDS = 60 * 60
/** Not known to a media server that answers, for so long: gone. Its list may lag behind. */
export const MISSING_FOR_SECONDS = 60

/** What the sweeper has before it: a recording that runs as far as we know. */
export interface SweptRecording {
  state: RecordingState
  requestedAt: Date
  stopRequestedAt: Date | null
  missingSince: Date | null
}

/**
 * What the media server's list means for a recording. `in-list`: it is in there and has not ended; `not-in-list`;
 * `no-list`: it could not be had.
 */
export function judgeSilence(
  recording: SweptRecording,
  sight: 'in-list' | 'not-in-list' | 'no-list',
  now: Date,
): 'wait' | 'missing' | 'give-up' {
  const secondsSince = (moment: Date | null) =>
    moment === null ? 0 : (now.getTime() - moment.getTime()) / 1_000
  const { state, requestedAt, stopRequestedAt, missingSince } = recording
  if (sight === 'in-list') {
    const neverStarts = state === 'starting' && secondsSince(requestedAt) > STARTING_FOR_SECONDS
    const neverEnds = state === 'stopping' && secondsSince(stopRequestedAt) > STOPPING_FOR_SECONDS
    return neverStarts || neverEnds ? 'give-up' : 'wait'
  }
  if (state === 'starting') return secondsSince(requestedAt) >= START_WITHIN_SECONDS ? 'give-up' : 'wait'
  if (sight === 'no-list') return 'wait'
  if (missingSince === null) return 'missing'
  return secondsSince(missingSince) >= MISSING_FOR_SECONDS ? 'give-up' : 'missing'
}
