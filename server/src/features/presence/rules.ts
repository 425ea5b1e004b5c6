import type { ChosenStatus } from '@atrium/contract'

/** The true status of a person in an organization. */
export type Status = 'offline' | ChosenStatus
/** What others see of it. */
export type VisibleStatus = Exclude<Status, 'appear_offline'>

/** What is stored of one person in one organization. */
export interface Presence {
  status: Status
  /** The last explicit choice; null once connectivity has overridden it. */
  manual: ChosenStatus | null
}

/** What happens to a presence. */
export type Occurrence =
  /** The person chooses a status. */
  | { kind: 'chosen'; status: ChosenStatus }
  /** A connection stands: their client says so, or the broker shows one. */
  | { kind: 'connected' }
  /** The broker has had no connection of theirs for longer than the grace. */
  | { kind: 'lost' }
  /** They no longer belong to the organization. */
  | { kind: 'removed' }

export interface PresenceRules {
  /** PRESENCE_RESTORE_MANUAL: a choice other than `online` outlives a lost connection. */
  restoreManual: boolean
}

/** Of somebody who has never been there. */
export const ABSENT: Presence = { status: 'offline', manual: null }

/** The state table of the product: what a presence becomes. The same object where nothing changes. */
export function after(
  presence: Presence,
  occurrence: Occurrence,
  { restoreManual }: PresenceRules,
): Presence {
  const { status, manual } = presence
  switch (occurrence.kind) {
    case 'chosen': {
      const chosen = occurrence.status
      return status === chosen && manual === chosen ? presence : { status: chosen, manual: chosen }
    }
    case 'connected': {
      if (status !== 'offline') return presence
      const restored = restoreManual ? manual : null
      return { status: restored ?? 'online', manual: restored }
    }
    case 'lost': {
      if (status === 'offline') return presence
      return { status: 'offline', manual: restoreManual && manual !== 'online' ? manual : null }
    }
    case 'removed':
      return presence.status === 'offline' && manual === null ? presence : ABSENT
  }
}

/** What others see: nobody but the person themselves can tell `appear_offline` from `offline`. */
export function visible(status: Status): VisibleStatus {
  return status === 'appear_offline' ? 'offline' : status
}

/**
 * Who hears of a change. Others only of one that they can see: an event that repeats what they know would tell them
 * that somebody has been there invisibly. The person's own devices learn that their invisible self has gone.
 */
export function audienceOf(
  before: Presence,
  now: Presence,
  occurrence: Occurrence,
): 'colleagues' | 'self' | 'nobody' {
  if (visible(before.status) !== visible(now.status)) return 'colleagues'
  return occurrence.kind === 'lost' && before.status === 'appear_offline' ? 'self' : 'nobody'
}

/** A choice as the profile shows it. */
export function manualAsShown(manual: ChosenStatus | null): VisibleStatus | null {
  return manual === null ? null : visible(manual)
}
