import type { AnyRealtimeEvent, EventName, PresenceRecord, ScopeOfEvent } from '@atrium/contract'

/**
 * An event with the channel it came by: `type` tells the shapes of `data` apart, for the compiler too. An office that is
 * newer than the client may publish others: pass over an unknown `type`.
 */
export type ReceivedEvent = {
  [Name in EventName]: Extract<AnyRealtimeEvent, { type: Name }> & {
    scope: Exclude<ScopeOfEvent<Name>, 'status'>
  }
}[EventName]

export interface RealtimeOptions {
  /** A WebSocket constructor, where the platform has none of its own. */
  websocket?: unknown
  /** In place of the address that the office names. */
  url?: string
}

/** What can be listened to. Ids are those of the identity provider (`user_…`, `org_…`). */
export interface RealtimeEvents {
  /** A followed person, or the caller, now has this status. The caller's own is the true one. */
  status: PresenceRecord
  /** A followed person is not (or no longer) in the organization, or may not be followed. */
  unfollowed: { userId: string; reason: string }
  /** An event for this person (`user`) or for all members of the organization. */
  event: ReceivedEvent
  /**
   * Events of that scope were missed: read afresh what depends on them. Told for both scopes at the first connection,
   * too: what happened until then was not heard. Statuses mend themselves.
   */
  gap: { scope: 'user' | 'organization' }
  /** `closed`: ended by the office, or because the session ended; `reconnect()` tries again. */
  state: { state: 'connecting' | 'connected' | 'closed'; code: number; reason: string }
  /** The session works in another organization now: statuses of the one before are not followed any more. */
  organization: { organizationId: string }
}
