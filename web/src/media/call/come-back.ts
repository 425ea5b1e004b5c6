import { DisconnectReason, type Room } from 'livekit-client'
import { closeOpenedTracks } from '../devices/opened-tracks.ts'
import { AWAY_MS } from '../watch/absence.ts'
import { endOfReason } from './call-end.ts'
import { type Calling, endCall } from './calling.ts'
import { enterRoom } from './enter-room.ts'
import { letGo, silence } from './hearing.ts'

/** The connection says nothing new for so long, in turns, before it is given up. */
const PAUSES_MS = [0, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000]

/** Comes in for the first time, and once more after each of a few pauses. Rejects as `getTicket` does. */
export async function comeIn(call: Calling): Promise<void> {
  if (!(await enterRoom(call, true))) await tryAgain(call, PAUSES_MS.slice(1, 4))
}

/** A connection that stood has ended: the call ends with it, or comes back by another one. */
export function disconnected(call: Calling, of: Room, reason: DisconnectReason | undefined): void {
  if (call.room !== of) return
  const why = endOfReason(reason)
  if (why) return void endCall(call, why)
  silence(of)
  closeOpenedTracks(of)
  of.removeAllListeners()
  // the client itself ends it only where the page is left, or put to sleep
  if (reason === DisconnectReason.CLIENT_INITIATED)
    whenPageIsBack(() => call.room === of && void comeBack(call))
  else void comeBack(call)
}

/** Media has ended without a word: a person who is still there comes in once more. */
export function beginAnew(call: Calling, of: Room): void {
  letGo(of)
  void comeBack(call)
}

async function comeBack(call: Calling): Promise<void> {
  call.watch.stop()
  call.store.update((state) => ({ ...state, phase: 'reconnecting', people: state.people.slice(0, 1) }))
  await tryAgain(call, PAUSES_MS, Date.now())
}

async function tryAgain(call: Calling, pauses: readonly number[], lostAt?: number): Promise<void> {
  for (const pause of pauses) {
    const waitingFor = call.room
    await new Promise((resolve) => setTimeout(resolve, pause))
    // left, or taken over, meanwhile
    if (call.room !== waitingFor || call.store.get().phase === 'ended') return
    // after so long, going live again needs a question
    if (lostAt !== undefined && Date.now() - lostAt > AWAY_MS) return endCall(call, 'away')
    if (await enterRoom(call, false)) return
  }
  endCall(call, 'unreachable')
}

function whenPageIsBack(act: () => void): void {
  const once = new AbortController()
  const back = () => {
    once.abort()
    act()
  }
  addEventListener('pageshow', back, { signal: once.signal })
  document.addEventListener('resume', back, { signal: once.signal })
}
