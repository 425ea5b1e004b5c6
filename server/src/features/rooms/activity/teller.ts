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
/** A client says that its microphone is open, or muted, before the media server has said that there is one. */
const MICROPHONE_LATE_MS = 10_000

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
  /** Tells of what has changed: clients by their channels, other nodes by a notification. @returns whether anything had */
  tell(): Promise<boolean>
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
  let early: Turn[] = []
  return {
    async tell() {
      const changed = activity.takeChanged()
      const shared = [...changed, ...activity.takeRepeated()]
      for (let at = 0; at < shared.length; at += SHARED_AT_ONCE)
        await share({ from, shown: shared.slice(at, at + SHARED_AT_ONCE) })
      const turns = turnsOf(changed, early, clock.now().getTime())
      early = []
      if (turns.length === 0) return false
      const verdicts = await judge(db, turns)
      early = verdicts.filter(({ isEarly }) => isEarly).map(({ turn }) => turn)
      // a hint: what the broker does not take is said again in 5 seconds
      await Promise.all(verdicts.map(({ event }) => event && publish(event.data, event.channels))).catch(
        (err) => log.warn({ err }, 'the broker took no activity of rooms'),
      )
      return changed.length > 0
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

/** Activity of one participant to report now, or to report again once the media server has caught up. */
interface Turn {
  shown: Shown
  isNew: boolean
  /** In milliseconds: then it is not waited for any more. */
  until: number
}

function turnsOf(changed: readonly Shown[], early: readonly Turn[], now: number): Turn[] {
  const isChanged = ({ room, who }: Shown) => changed.some((one) => one.room === room && one.who === who)
  const waiting = early.filter(({ shown, until }) => until > now && !isChanged(shown))
  const isNew = changed.map((shown) => ({ shown, isNew: true, until: now + MICROPHONE_LATE_MS }))
  return [...isNew, ...waiting.map((turn) => ({ ...turn, isNew: false }))]
}

interface Verdict {
  turn: Turn
  /** They say what the media server has not told yet: that they are inside, or have a microphone. */
  isEarly: boolean
  event?: { data: Activity; channels: readonly string[] }
}

/** Of those who are inside, with what is known of their microphones. */
async function judge(db: Db, turns: readonly Turn[]): Promise<Verdict[]> {
  const rooms = await readRoomsToTell(db, [...new Set(turns.map(({ shown }) => shown.room))])
  const microphones = await microphonesIn(db, [...rooms.keys()])
  return turns.map((turn) => {
    const { room, who, sound, speaking, hand } = turn.shown
    const place = rooms.get(trusted.roomId(room))
    const isPublished = microphones.get(`${room} ${who}`)
    const isEarly = isPublished === undefined || (!isPublished && sound !== 'off' && sound !== undefined)
    if (!place || isPublished === undefined || (isEarly && !turn.isNew)) return { turn, isEarly }
    const data = {
      roomId: room,
      ...(claimsToBeGuest(who) ? { guestIdentity: who } : { userId: who }),
      sound: isPublished ? (sound ?? 'published') : 'off',
      speaking: speaking && isPublished && !place.isPrivate,
      hand,
    } as const
    return { turn, isEarly, event: { data, channels: place.channels } }
  })
}
