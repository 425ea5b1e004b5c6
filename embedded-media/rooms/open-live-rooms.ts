import { every } from '../timers.ts'
import { openLive, tell } from './live.ts'
import { entrancesOf, ordersOf } from './live-orders.ts'
import type { LiveNeeds, LiveRooms } from './live-rooms.ts'
import type { Participant, Room } from './rooms.ts'

/** Long before the last one ends. */
const REFRESH_EVERY_MS = 300_000
const ACTIVITY_EVERY_MS = 5_000

export function openLiveRooms(needs: LiveNeeds): LiveRooms {
  const live = openLive(needs)
  const { media, inside, refresh, onFault } = live
  const forAll = (act: (room: Room, participant: Participant) => void) => () => {
    for (const { room, participant } of inside.values()) act(room, participant)
  }
  const refreshing = every(REFRESH_EVERY_MS, forAll(refresh), onFault)
  const tellingAgain = every(
    ACTIVITY_EVERY_MS,
    forAll((room, participant) => tell(live, room, participant)),
    onFault,
  )
  return {
    ...entrancesOf(live),
    ...ordersOf(live),
    start: () => media.start(),
    isAway: () => media.isAway(),
    pid: () => media.pid(),
    kill: () => media.kill(),
    crash() {
      inside.clear()
      media.kill()
    },
    async close() {
      refreshing.stop()
      tellingAgain.stop()
      live.captions?.close()
      await media.close()
    },
  }
}
