import { describe, expect, it } from 'vitest'
import { type MeetingTimes, meetingEnd, nextChange } from './timeline.ts'

const at = (time: string) => new Date(`2026-03-23T${time}:00.000Z`)
const meeting = (start: string, end: string) => ({
  start: at(start).toISOString(),
  end: at(end).toISOString(),
})
/** What a member is seen as over a time: each change with what comes then. */
function seen(times: MeetingTimes, from: string): string[] {
  const changes: string[] = []
  let now: Date | null = at(from)
  while (now) {
    changes.push(`${now.toISOString().slice(11, 16)} ${meetingEnd(times, now) ? 'busy' : 'free'}`)
    now = nextChange(times, now)
  }
  return changes
}

describe('a day of meetings', () => {
  it.each<[string, MeetingTimes, string[]]>([
    ['none', {}, ['08:00 free']],
    ['one', { a: [meeting('09:00', '10:00')] }, ['08:00 free', '09:00 busy', '10:00 free']],
    ['one under way', { a: [meeting('07:00', '10:00')] }, ['08:00 busy', '10:00 free']],
    ['one that is over', { a: [meeting('07:00', '08:00')] }, ['08:00 free']],
    [
      'two that overlap',
      { a: [meeting('09:00', '10:00'), meeting('09:30', '11:00')] },
      ['08:00 free', '09:00 busy', '11:00 free'],
    ],
    [
      'one within another',
      { a: [meeting('09:00', '12:00'), meeting('10:00', '11:00')] },
      ['08:00 free', '09:00 busy', '12:00 free'],
    ],
    [
      'one right after the other',
      { a: [meeting('10:00', '11:00'), meeting('09:00', '10:00')] },
      ['08:00 free', '09:00 busy', '11:00 free'],
    ],
    [
      'two with a break',
      { a: [meeting('09:00', '10:00'), meeting('10:30', '11:00')] },
      ['08:00 free', '09:00 busy', '10:00 free', '10:30 busy', '11:00 free'],
    ],
    [
      'those of two providers',
      { a: [meeting('09:00', '10:00')], b: [meeting('09:30', '10:30'), meeting('14:00', '14:15')] },
      ['08:00 free', '09:00 busy', '10:30 free', '14:00 busy', '14:15 free'],
    ],
    ['one without length', { a: [meeting('09:00', '09:00')] }, ['08:00 free']],
  ])('%s', (_, times, changes) => {
    expect(seen(times, '08:00')).toEqual(changes)
  })
})
