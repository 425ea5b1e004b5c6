import { randomUUID } from 'node:crypto'
import type { EventData } from '@atrium/contract'
import { sql } from 'kysely'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/database/database.ts'
import { claimsToBeGuest, trusted } from '../../../platform/ids.ts'
import type { Log } from '../../../platform/log.ts'
import type { BrokerPort } from '../../../ports/broker.ts'
import { microphonesIn } from '../../media-events/reads.ts'
import { readRoomsToTell } from '../store.ts'
import type { ActivityBoard, Shown } from './board.ts'

type Activity = EventData<'room.activity'>

/** The channel of PostgreSQL by which nodes tell each other. */
export const ACTIVITY_CHANNEL = 'room_activity'
/** A notification carries 8,000 bytes. */
const SHARED_AT_ONCE = 40

interface Needs {
  db: Db
  clock: Clock
  log: Pick<Log, 'warn'>
  broker: Pick<BrokerPort, 'publish'>
  activity: ActivityBoard
}

/** What one node says to the others. */
type Shared = { from: string } & ({ shown: Shown[] } | { lowered: string })

export interface ActivityTeller {
  /** Tells of what has changed: clients by their channels, other nodes by a notification. Once a second. */
  tell(): Promise<void>
  /** No hand is up in a room: on this node, and on the others. */
  lowerHands(room: string): Promise<void>
  /** What another node has said. */
  hear(payload: string): void
}

export function makeActivityTeller({ db, clock, log, broker, activity }: Needs): ActivityTeller {
  const from = randomUUID()
  const share = async (said: Shared) => {
    await sql`select pg_notify(${ACTIVITY_CHANNEL}, ${JSON.stringify(said)})`.execute(db)
  }
  const publish = async (data: Activity, channels: readonly string[]) => {
    const event = { id: randomUUID(), type: 'room.activity', time: clock.now().toISOString(), data }
    await broker.publish(channels, event)
  }
  return {
    async tell() {
      const changed = activity.takeChanged()
      if (changed.length === 0) return
      for (let at = 0; at < changed.length; at += SHARED_AT_ONCE)
        await share({ from, shown: changed.slice(at, at + SHARED_AT_ONCE) })
      const events = await eventsOf(db, changed)
      // a hint: what the broker does not take is said again in 5 seconds
      await Promise.all(events.map(({ data, channels }) => publish(data, channels))).catch((err) =>
        log.warn({ err }, 'the broker took no activity of rooms'),
      )
    },
    async lowerHands(room) {
      activity.lowerHands(room)
      await share({ from, lowered: room })
    },
    hear(payload) {
      const said = JSON.parse(payload) as Shared
      if (said.from === from) return
      if ('lowered' in said) activity.lowerHands(said.lowered)
      else for (const shown of said.shown) activity.hear(shown)
    },
  }
}

/** Of those who are still inside, with what is known of their microphones. */
async function eventsOf(
  db: Db,
  changed: readonly Shown[],
): Promise<{ data: Activity; channels: readonly string[] }[]> {
  const rooms = await readRoomsToTell(db, [...new Set(changed.map(({ room }) => room))])
  const microphones = await microphonesIn(db, [...rooms.keys()])
  return changed.flatMap(({ room, who, sound, speaking, hand }) => {
    const place = rooms.get(trusted.roomId(room))
    const isPublished = microphones.get(`${room} ${who}`)
    if (!place || isPublished === undefined) return []
    const data = {
      roomId: room,
      ...(claimsToBeGuest(who) ? { guestIdentity: who } : { userId: who }),
      sound: isPublished ? (sound ?? 'published') : 'off',
      speaking: speaking && isPublished && !place.isPrivate,
      hand,
    } as const
    return [{ data, channels: place.channels }]
  })
}
