import { Room, RoomEvent } from 'livekit-client'
import { OUTSIDE, type Ticket } from '../call-state.ts'
import { holdOpenedTracks } from '../devices/opened-tracks.ts'
import { isOwnMediaServer } from '../own-media-server.ts'
import { optionsFor } from '../room-options.ts'
import { watchAbsence } from '../watch/absence.ts'
import { endOfConnecting, endOfRefusal } from './call-end.ts'
import { stateOf } from './call-snapshot.ts'
import { type Calling, endCall } from './calling.ts'
import { followRoom, publishWanted } from './follow-room.ts'

/**
 * Comes in by a connection of its own, with a fresh ticket.
 * @returns whether the call has come to rest, inside or ended; false: it may be better soon. Rejects as `getTicket` does
 * for the first one
 */
export async function enterRoom(call: Calling, isFirst: boolean): Promise<boolean> {
  const choices = call.own.choices()
  if (!choices) return false
  const encryption = call.sealed ? await call.sealed.options() : {}
  // left while the encryption was opened
  if (call.sealed && call.store.get().phase === 'ended') return true
  const next = new Room({ ...optionsFor(choices), ...encryption })
  call.room = next
  holdOpenedTracks(next)
  followRoom(call, next)
  let ticket: Ticket
  try {
    ticket = call.own.told(await call.entrance.getTicket(isFirst ? undefined : call.lastSid), { isFirst })
  } catch (error) {
    return refused(call, next, { error, isFirst })
  }
  if (call.room !== next) return true
  next.options.singlePeerConnection = !isOwnMediaServer(ticket.url, location.href)
  try {
    if (call.sealed) await next.setE2EEEnabled(true)
    await next.connect(ticket.url ?? '', ticket.token)
    next.on(RoomEvent.Disconnected, (reason) => call.onDisconnected(next, reason))
  } catch (error) {
    next.removeAllListeners()
    call.wasTried = true
    const why = endOfConnecting(error)
    if (why && call.room === next) endCall(call, why)
    return call.room !== next
  }
  if (call.room === next) await settle(call, next)
  return true
}

/** No ticket was given. */
function refused(
  call: Calling,
  next: Room,
  { error, isFirst }: { error: unknown; isFirst: boolean },
): boolean {
  if (call.room !== next) return true
  if (isFirst) {
    call.room = undefined
    call.store.set(OUTSIDE)
    throw error
  }
  const why = endOfRefusal(error)
  if (!why || (why === 'elsewhere' && call.wasTried)) return false
  endCall(call, why)
  return true
}

/** The connection stands. */
async function settle(call: Calling, next: Room): Promise<void> {
  const { store } = call
  store.update((state) => stateOf(next, { ...state, phase: 'inside' }))
  call.lastSid = next.localParticipant.sid
  call.wasTried = false
  call.stopAbsence ??= watchAbsence(() => endCall(call, 'away'))
  call.signals.entered()
  call.sealed?.look(next)
  call.watch.start(next)
  await publishWanted(call, next)
  store.update((state) => (call.room === next ? stateOf(next, state) : state))
}
