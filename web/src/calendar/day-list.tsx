import { useNow } from '../live/clock/use-now.ts'
import { classNames } from '../ui/class-names.ts'
import { useCalendarWords } from '../words/calendar.ts'
import { localeNow } from '../words/language.ts'
import { type Day, isNow, type ShownEvent } from './days.ts'

export function DayList({ days }: { days: readonly Day[] }) {
  const words = useCalendarWords()
  const now = useNow()
  const dayName = new Intl.DateTimeFormat(localeNow(), { weekday: 'long', day: 'numeric', month: 'short' })
  return (
    <div className="calendar-days">
      {days.map(({ start, events }) => {
        const isToday = start.toDateString() === now.toDateString()
        return (
          <section key={start.getTime()} className="card" aria-label={dayName.format(start)}>
            <h2 className={classNames(isToday && 'calendar-today')}>
              {dayName.format(start)} {isToday && <span className="soft small">{words.today}</span>}
            </h2>
            {events.length === 0 && <p className="soft">{words.nothing}</p>}
            <ul className="calendar-events">
              {events.map((event) => (
                <Event key={event.key} event={event} now={now} />
              ))}
            </ul>
          </section>
        )
      })}
    </div>
  )
}

function Event({ event, now }: { event: ShownEvent; now: Date }) {
  const words = useCalendarWords()
  const { title, start, end, allDay, color, calendarName, attendees } = event
  const clock = new Intl.DateTimeFormat(localeNow(), { hour: 'numeric', minute: '2-digit' })
  const goesOn = isNow(event, now)
  return (
    <li className={classNames('calendar-event', goesOn && 'calendar-event-now')}>
      <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
        <circle cx="5" cy="5" r="5" fill={/^#[0-9a-f]{6}$/i.test(color) ? color : 'currentColor'} />
      </svg>
      <span className="calendar-time">
        {allDay ? words.allDay : clock.formatRange(new Date(start), new Date(end))}
      </span>
      <span className="calendar-text">
        <strong>{title || words.noTitle}</strong>
        <span className="soft small">
          {[calendarName, attendees.length > 1 && words.people(attendees.length), goesOn && words.now]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
    </li>
  )
}
