import type { WritableStore } from '@atrium/client/store'
import type { DisconnectReason, Room } from 'livekit-client'
import { type CallState, type Entrance, OUTSIDE } from '../call-state.ts'
import type { SealedCall } from '../sealing/sealing.ts'
import type { CallSignals } from '../signals/call-signals.ts'
import type { MediaWatch } from '../watch/watch-media.ts'
import type { CallEnd } from './call-end.ts'
import { letGo } from './hearing.ts'
import type { OwnMedia } from './own-media.ts'

/** A call over all of its connections, for the functions that work on it. */
export interface Calling {
  entrance: Entrance
  store: WritableStore<CallState>
  own: OwnMedia
  signals: CallSignals
  watch: MediaWatch
  /** The connection of now, or the one that is being opened: what ends late of an earlier one changes nothing. */
  room: Room | undefined
  /** Of the connection that one was inside by last, as the media server names it. */
  lastSid: string | undefined
  /** A connection was tried since, in vain: the media server may take what is left of it for another device. */
  wasTried: boolean
  sealed: SealedCall | undefined
  stopAbsence: (() => void) | undefined
  /** A connection that stood has ended. */
  onDisconnected(of: Room, reason: DisconnectReason | undefined): void
}

export function endCall(call: Calling, why: CallEnd): void {
  const { room } = call
  call.room = undefined
  call.watch.stop()
  call.stopAbsence?.()
  call.stopAbsence = undefined
  call.signals.close()
  call.sealed?.close()
  call.sealed = undefined
  if (room) letGo(room)
  call.store.set({ ...OUTSIDE, phase: 'ended', end: why })
}
