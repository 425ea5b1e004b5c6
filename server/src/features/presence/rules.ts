import type { ChosenStatus, VisibleStatus } from '@atrium/contract'

/** The true status of a person in an organization. */
export type Status = 'offline' | ChosenStatus

/** What is stored of one person in one organization. */
export interface Presence {
  status: Status
  /** The last explicit choice; null once connectivity has overridden it. */
  manual: ChosenStatus | null
  /** What they say of themselves. */
  note: string | null
  /** When choice and note end; null: not by the clock. */
  until: Date | null
  /** A meeting of their calendar is under way. */
  inMeeting: boolean
}

/** What others see beside the status. */
export type ShownNote = Pick<Presence, 'note' | 'until'>

/** What happens to a presence. */
export type Occurrence =
  /** The person chooses a status. */
  | {
      kind: 'chosen'
      status: ChosenStatus
      /** Undefined: the one before stays; null: none. */
      note?: string | null
      until?: Date
    }
  /** A connection stands: their client says so, or the broker shows one. */
  | { kind: 'connected' }
  /** The broker has had no connection of theirs for longer than the grace. */
  | { kind: 'lost' }
  /** The time of their choice is over, if it is. */
  | { kind: 'ended'; connected: boolean }
  /** A meeting of their calendar has begun, or none goes on any more. */
  | { kind: 'meeting'; goesOn: boolean }
  /** They no longer belong to the organization. */
  | { kind: 'removed' }

export interface PresenceRules {
  /** PRESENCE_RESTORE_MANUAL: a choice other than `online` outlives a lost connection. */
  restoreManual: boolean
}

/** Of a member who has never been there. */
export const ABSENT: Presence = {
  status: 'offline',
  manual: null,
  note: null,
  until: null,
  inMeeting: false,
}
const NO_NOTE: ShownNote = { note: null, until: null }

/**
 * The state table of the product: what a presence becomes. The same object where nothing changes. What has come to its
 * end by `now` is over, whether it was taken away yet or not.
 */
export function after(
  presence: Presence,
  occurrence: Occurrence,
  { restoreManual }: PresenceRules,
  now: Date,
): Presence {
  const { status, manual, note, until, inMeeting } = presence
  // a choice comes before it
  const unchosen = inMeeting ? 'busy' : 'online'
  switch (occurrence.kind) {
    case 'chosen': {
      const { status } = occurrence
      const before = currentNote(presence, now)
      const chosen = { ...presence, status, manual: status, ...noteOf(before, occurrence) }
      return isSame(presence, chosen) ? presence : chosen
    }
    case 'connected': {
      if (status !== 'offline') return presence
      const isOver = until !== null && until <= now
      const restored = restoreManual && !isOver ? manual : null
      const left = isOver ? NO_NOTE : { note, until }
      return { ...presence, ...left, status: restored ?? unchosen, manual: restored }
    }
    case 'lost': {
      if (status === 'offline') return presence
      const kept = restoreManual && manual !== 'online' ? manual : null
      // without a choice and a note there is nothing left to end
      return {
        ...presence,
        status: 'offline',
        manual: kept,
        until: kept === null && note === null ? null : until,
      }
    }
    case 'ended': {
      if (until === null || until > now) return presence
      const isThere = status !== 'offline' && occurrence.connected
      return { ...presence, status: isThere ? unchosen : 'offline', manual: null, ...NO_NOTE }
    }
    case 'meeting': {
      if (inMeeting === occurrence.goesOn) return presence
      const changed = { ...presence, inMeeting: occurrence.goesOn }
      if (status === 'offline' || manual !== null) return changed
      return { ...changed, status: changed.inMeeting ? 'busy' : 'online' }
    }
    case 'removed':
      return isSame(presence, ABSENT) ? presence : ABSENT
  }
}

/** Whether a member is busy by their calendar, not by choice. */
export function isBusyByMeeting({ status, manual }: Pick<Presence, 'status' | 'manual'>): boolean {
  return status === 'busy' && manual === null
}

/**
 * A note that stays keeps its end, unless another is given. With it the choice would end: a member who hides without
 * saying until when would be seen again then, and so hides without the note.
 */
function noteOf(before: ShownNote, chosen: Extract<Occurrence, { kind: 'chosen' }>): ShownNote {
  const { note = before.note, until = null } = chosen
  const stays = chosen.note === undefined && note !== null && chosen.until === undefined
  if (stays && before.until !== null && chosen.status === 'appear_offline') return NO_NOTE
  return { note, until: stays ? before.until : until }
}

function isSame(one: Presence, other: Presence): boolean {
  const isSameStatus = one.status === other.status && one.manual === other.manual
  return isSameStatus && one.inMeeting === other.inMeeting && isSameNote(one, other)
}

function isSameNote(one: ShownNote, other: ShownNote): boolean {
  return one.note === other.note && one.until?.getTime() === other.until?.getTime()
}

/** What others see: only the member themselves can tell `appear_offline` from `offline`. */
export function visible(status: Status): VisibleStatus {
  return status === 'appear_offline' ? 'offline' : status
}

/** What others see beside the status: nothing of who is offline, or appears so. Nothing is shown after its end. */
export function visibleNote(
  { status, note, until }: ShownNote & Pick<Presence, 'status'>,
  now: Date,
): ShownNote {
  if (visible(status) === 'offline') return NO_NOTE
  return currentNote({ note, until }, now)
}

/** What is left at a moment. */
export function currentNote({ note, until }: ShownNote, now: Date): ShownNote {
  return until !== null && until <= now ? NO_NOTE : { note, until }
}

/** What colleagues are told of a change beside the status: the same for every way to go offline. */
export function noteToTell(before: Presence, now: Presence, at: Date): ShownNote | undefined {
  const shown = visibleNote(now, at)
  // a note that has ended was shown until now
  const was = visible(before.status) === 'offline' ? NO_NOTE : before
  return isSameNote(was, shown) ? undefined : shown
}

/**
 * Who hears of a change. Others only of one that they can see: an event that repeats what they know would reveal
 * that a member has been there invisibly. The member's own devices learn that their invisible self has gone.
 */
export function audienceOf(
  before: Presence,
  now: Presence,
  occurrence: Occurrence,
): 'colleagues' | 'self' | 'nobody' {
  if (visible(before.status) !== visible(now.status)) return 'colleagues'
  const goes = occurrence.kind === 'lost' || occurrence.kind === 'ended'
  return goes && before.status === 'appear_offline' && now.status === 'offline' ? 'self' : 'nobody'
}

/** A choice as the profile shows it. */
export function manualAsShown(manual: ChosenStatus | null): VisibleStatus | null {
  return manual === null ? null : visible(manual)
}
