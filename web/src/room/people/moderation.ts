import type { PersonInCall } from '../../media/call-state.ts'

/** What moderators do about others in a room. None of it rejects: what went wrong is told beside every screen. */
export interface Moderation {
  /** Guests are put out by those who may let them in. */
  may(what: 'mute' | 'remove' | 'lower-hands', person?: PersonInCall): boolean
  mute(person: PersonInCall): Promise<void>
  remove(person: PersonInCall): Promise<void>
  lowerHands(): Promise<void>
}
