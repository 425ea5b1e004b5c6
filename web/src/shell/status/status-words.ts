import type { Person, VisibleStatus } from '@atrium/client/people'
import type { en } from '../../words/en/shell.ts'
import { localeNow } from '../../words/language.ts'

type StatusWords = (typeof en)['status']

/** The line below a name: the activity, else the status; then the note and its end. */
export function aboutPerson(person: Person, words: StatusWords, roomName?: string): string {
  const parts = person.isBot
    ? [words.bot, atWhat(person, words, roomName)]
    : [atWhat(person, words, roomName)]
  if (person.note) parts.push(person.note)
  if (person.until) parts.push(words.untilTime(timeOf(person.until)))
  return parts.join(' · ')
}

function atWhat({ activity, status }: Person, words: StatusWords, roomName?: string): string {
  if (activity === 'in-room') return roomName ? words.inRoomNamed(roomName) : words.inRoom
  if (activity === 'in-meeting' && status !== 'offline') return words.inMeeting
  return words[status]
}

/** As a clock shows it; on another day with the day. */
export function timeOf(time: string, now = new Date()): string {
  const at = new Date(time)
  const sameDay = at.toDateString() === now.toDateString()
  const day = sameDay ? {} : ({ weekday: 'short' } as const)
  return new Intl.DateTimeFormat(localeNow(), { ...day, hour: 'numeric', minute: '2-digit' }).format(at)
}

/** As a dot shows it: who appears offline is so, also to themselves. */
export function dotOf(status: Person['status']): VisibleStatus {
  return status === 'appear_offline' ? 'offline' : status
}

/** Whether a knock may reach them: who is busy or offline is not disturbed. */
export function isReachable({ status, isBot }: Pick<Person, 'status' | 'isBot'>): boolean {
  return !isBot && (status === 'online' || status === 'away')
}
