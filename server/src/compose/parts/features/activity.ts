import { type ActivityBoard, makeActivityBoard } from '../../../features/rooms/activity/board.ts'
import {
  ACTIVITY_CHANNEL,
  type ActivityTeller,
  makeActivityTeller,
} from '../../../features/rooms/activity/teller.ts'
import { organizationOfRoom } from '../../../features/rooms/reads.ts'
import { parseConnectionUser, parseRoomId } from '../../../platform/ids.ts'
import { openPace } from '../../../platform/timing/pace.ts'
import { every, guarded } from '../../../platform/timing/timer.ts'
import type { Opening, Part } from '../../part.ts'
import type { Databases } from '../platform/databases.ts'
import type { Realtime } from '../ports/realtime.ts'

export interface Activity extends Part {
  needs: { activity: ActivityBoard; activityTeller: ActivityTeller }
  /** What the embedded media server hears of a participant. */
  hearMedia(heard: HeardByMedia): void
}

/** As the media server names the room and the connection. */
export interface HeardByMedia {
  room: string
  identity: string
  sound: 'on' | 'muted' | 'off'
  speaking: boolean
}

const TOLD_EVERY_MS = 1_000
/** One act is often two changes: a person opens the microphone, and speaks. */
const GATHERED_FOR_MS = 50

/** How people are in rooms: said by clients and by the embedded media server, told at once and at most once a second, kept nowhere. */
export function openActivity(
  { clock, log }: Opening,
  { databases, realtime }: { databases: Databases; realtime: Realtime },
): Activity {
  const { background: db } = databases
  const activity = makeActivityBoard(clock)
  const activityTeller = makeActivityTeller({ db, clock, log, broker: realtime.broker, activity })
  const onFault = (err: unknown) => log.warn({ err }, 'activity of rooms was not told')
  const owners = new Map<string, string>()
  const organizationOf = async (room: string) => {
    const id = parseRoomId(room)
    const known = owners.get(room) ?? (id && (await organizationOfRoom(db, id))?.organization)
    if (known !== undefined) owners.set(room, known)
    return known
  }
  const say = async ({ room, identity, ...said }: HeardByMedia) => {
    const organization = await organizationOf(room)
    const who = parseConnectionUser(identity) ?? identity
    if (organization !== undefined) activity.say({ organization, room, who }, said)
  }
  return {
    needs: { activity, activityTeller },
    hearMedia: (heard) => guarded(() => say(heard), onFault),
    listeners: { [ACTIVITY_CHANNEL]: activityTeller.hear },
    start(stack) {
      const pace = openPace(
        { everyMs: TOLD_EVERY_MS, gatherMs: GATHERED_FOR_MS },
        activityTeller.tell,
        onFault,
      )
      activity.onChanged(pace.soon)
      // what runs out is nothing that anybody says
      const timer = every(TOLD_EVERY_MS, pace.soon, onFault)
      stack.defer(() => {
        timer.stop()
        pace.stop()
      })
    },
  }
}
