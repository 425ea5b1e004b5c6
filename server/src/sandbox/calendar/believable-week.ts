/** The content of all calendars: a week of an ordinary office, over and over, with what does not go as planned. */

export interface SeedCalendar {
  /** The account itself where it is `primary`. */
  id: string
  name: string
  color: string
  zone: string
  events: readonly SeedEvent[]
}

export interface SeedPerson {
  email: string
  name: string
}

export interface SeedEvent {
  id: string
  title: string
  description: string
  /** Where its time of day is meant. */
  zone: string
  /** `09:30`; undefined: whole days. */
  at?: string
  minutes: number
  /** Days of the week, Monday is 0. */
  days: readonly number[]
  everyWeeks?: number
  /** A series of one event a week, each of its own, or one series. */
  kind: 'series' | 'single'
  organizer: SeedPerson
  /** Beside the owner of the calendar, who has accepted. */
  attendees: readonly (SeedPerson & { response: 'accepted' | 'declined' | 'tentative' | 'pending' })[]
  /** What becomes of the occurrence of a day in a week (counted from the first one). */
  exception?: (week: number, day: number) => Exception | undefined
}

export type Exception =
  | { kind: 'cancelled' }
  /** To another time of the same day, maybe meant in another zone. */
  | { kind: 'moved'; at: string; zone?: string }

export const PRIMARY = 'primary'
/** The Monday on which everything begins. */
export const FIRST_MONDAY = Date.UTC(2024, 0, 1)

const grace: SeedPerson = { email: 'grace@people.example', name: 'Grace Hopper' }
const alan: SeedPerson = { email: 'alan@people.example', name: 'Alan Turing' }
const katherine: SeedPerson = { email: 'katherine@people.example', name: 'Katherine Johnson' }

const WORKDAYS = [0, 1, 2, 3, 4]
const [MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY] = WORKDAYS as [number, number, number, number, number]

const standUp: SeedEvent = {
  id: 'standup',
  title: 'Stand-up',
  description: 'What was, what will be, what is in the way.',
  zone: 'Europe/Berlin',
  at: '09:30',
  minutes: 15,
  days: WORKDAYS,
  kind: 'series',
  organizer: grace,
  attendees: [
    { ...alan, response: 'accepted' },
    { ...katherine, response: 'pending' },
  ],
  exception(week, day) {
    if (week % 4 === 2 && day === WEDNESDAY) return { kind: 'moved', at: '11:00' }
    return week % 4 === 3 && day === FRIDAY ? { kind: 'cancelled' } : undefined
  },
}

const oneToOne: SeedEvent = {
  id: 'onetoone',
  title: 'Katherine, one to one',
  description: 'She is in New York: its hour there stays, ours moves twice a year.',
  zone: 'America/New_York',
  at: '10:00',
  minutes: 45,
  days: [TUESDAY],
  kind: 'series',
  organizer: katherine,
  attendees: [],
  exception: (week) => (week % 4 === 1 ? { kind: 'moved', at: '16:30', zone: 'Europe/London' } : undefined),
}

const designReview: SeedEvent = {
  id: 'review',
  title: 'Design review',
  description: '<p>The <b>floor plan</b> of the new office.</p>',
  zone: 'Europe/Berlin',
  at: '14:00',
  minutes: 60,
  days: [THURSDAY],
  kind: 'single',
  organizer: alan,
  attendees: [{ ...grace, response: 'declined' }],
}

const officeDay: SeedEvent = {
  id: 'officeday',
  title: 'Office day',
  description: '',
  zone: 'Europe/Berlin',
  minutes: 24 * 60,
  days: [FRIDAY],
  everyWeeks: 2,
  kind: 'series',
  organizer: grace,
  attendees: [],
}

const planning: SeedEvent = {
  id: 'planning',
  title: 'Planning',
  description: 'The next two weeks.',
  zone: 'Europe/Berlin',
  at: '13:00',
  minutes: 90,
  days: [MONDAY],
  everyWeeks: 2,
  kind: 'series',
  organizer: grace,
  attendees: [{ ...alan, response: 'tentative' }],
}

const demo: SeedEvent = {
  id: 'demo',
  title: 'Demo',
  description: 'What is done is shown.',
  zone: 'UTC',
  at: '15:00',
  minutes: 30,
  days: [FRIDAY],
  kind: 'series',
  organizer: alan,
  attendees: [],
}

/** The calendars of an account. */
export function calendarsFor(email: string): SeedCalendar[] {
  return [
    {
      id: PRIMARY,
      name: email,
      color: '#4285f4',
      zone: 'Europe/Berlin',
      events: [standUp, oneToOne, designReview, officeDay],
    },
    { id: 'team', name: 'Team', color: '#0b8043', zone: 'Europe/Berlin', events: [planning, demo] },
    { id: 'quiet', name: 'Nothing yet', color: '#8e24aa', zone: 'America/New_York', events: [] },
  ]
}
