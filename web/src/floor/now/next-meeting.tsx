import type { Room } from '@atrium/client/rooms'
import { useRooms } from '@atrium/react'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { pagePaths } from '../../../page-paths.ts'
import { type CalendarEvent, startOfDay } from '../../calendar/days.ts'
import { useSource } from '../../calendar/sources.ts'
import { officeNow } from '../../live/office-client.ts'
import { preferences } from '../../live/preferences.ts'
import { useStore } from '../../live/use-session.ts'
import { useFloorWords } from '../../words/floor.ts'
import { minutesUntil, nextMeeting, roomNamedIn } from './next-event.ts'

const LOOK_EVERY_MS = 20_000

/** The meeting that begins soon, or has just begun. Nothing where no calendar is known to be connected. */
export function NextMeeting() {
  const { calendars } = useStore(preferences)
  return calendars.length > 0 ? <Next calendars={calendars} /> : null
}

function Next({ calendars }: { calendars: readonly string[] }) {
  const now = useClock()
  const today = startOfDay(now)
  const tomorrow = startOfDay(now, 1)
  const sources = [
    useSource('a', today, tomorrow, calendars.includes('a')),
    useSource('b', today, tomorrow, calendars.includes('b')),
  ]
  const events = sources.flatMap(({ data }) => (data?.state === 'connected' ? data.events : []))
  const next = nextMeeting(events, now)
  const room = useRooms(({ rooms }) => (next ? roomNamedIn(next.title, rooms) : undefined))
  return next ? <MeetingPill event={next} room={room} now={now} /> : null
}

function MeetingPill({ event, room, now }: { event: CalendarEvent; room: Room | undefined; now: Date }) {
  const words = useFloorWords()
  return (
    <div className="pill">
      <p className="pill-text">
        <strong>{event.title}</strong>{' '}
        <span className="soft">{words.inMinutes(minutesUntil(event, now))}</span>
      </p>
      {room ? (
        <Link to={pagePaths.room} params={{ roomId: room.id }} className="button button-small button-primary">
          {words.join}
        </Link>
      ) : (
        <Link to={pagePaths.calendar} className="button button-small">
          {words.toCalendar}
        </Link>
      )}
    </div>
  )
}

function useClock(): Date {
  const [now, setNow] = useState(officeNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(officeNow()), LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}
