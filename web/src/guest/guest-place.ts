import type { VisitState } from '@atrium/client/guests'
import type { CallEnd } from '../media/call/call-end.ts'
import type { CallState } from '../media/call-state.ts'

/** Where a guest is, as the page shows it. */
export type GuestPlace =
  | 'outside'
  | 'asking'
  | 'waiting'
  | 'inside'
  | 'left'
  | 'not-waiting'
  | 'denied'
  | 'removed'
  | 'over'
  | 'failed'
  | { end: CallEnd }

/** Combines two sources: the office knows whether a guest is admitted, the media server whether they are inside. */
export function guestPlace(visit: VisitState, call: CallState): GuestPlace {
  if ((call.phase === 'inside' || call.phase === 'reconnecting') && call.mayPublish) return 'inside'
  if (call.end === 'left') return visit.state === 'waiting' ? 'not-waiting' : 'left'
  if (visit.state === 'denied') return visit.error.error === 'guest-removed' ? 'removed' : 'denied'
  if (visit.state === 'ended') return 'over'
  if (call.phase === 'ended' && call.end) {
    if (call.end !== 'removed') return { end: call.end }
    return visit.state === 'waiting' ? 'denied' : 'removed'
  }
  if (visit.state === 'admitted') return 'asking'
  return visit.state
}
