import { describe, expect, it } from 'vitest'
import { toEvent as toGoogleEvent } from '../../adapters/google-calendar/wire.ts'
import { toEvent as toGraphEvent } from '../../adapters/microsoft-calendar/wire.ts'
import type { CalendarEvent } from '../../ports/calendar.ts'
import { meetingsOf } from './meetings.ts'

const MEETING = { start: '2026-03-23T08:00:00.000Z', end: '2026-03-23T09:00:00.000Z' }

function google(more: object = {}): CalendarEvent {
  const [start, end] = [
    { dateTime: '2026-03-23T09:00:00+01:00', timeZone: 'Europe/Berlin' },
    { dateTime: '2026-03-23T10:00:00+01:00', timeZone: 'Europe/Berlin' },
  ]
  return toGoogleEvent({ id: 'one', summary: 'Secret', start, end, ...more }, 'UTC') as CalendarEvent
}

function graph(more: object = {}): CalendarEvent {
  const [start, end] = [
    { dateTime: '2026-03-23T08:00:00.0000000', timeZone: 'UTC' },
    { dateTime: '2026-03-23T09:00:00.0000000', timeZone: 'UTC' },
  ]
  return toGraphEvent({ id: 'one', subject: 'Secret', start, end, ...more }) as CalendarEvent
}

describe('meetings among events', () => {
  it.each<[string, CalendarEvent]>([
    ['of one provider', google()],
    ['of the other', graph()],
    ['accepted', google({ attendees: [{ self: true, responseStatus: 'accepted' }] })],
    ['declined by somebody else', google({ attendees: [{ email: 'x', responseStatus: 'declined' }] })],
    ['marked as busy', graph({ showAs: 'busy', responseStatus: { response: 'organizer' } })],
    ['tentative', graph({ showAs: 'tentative', responseStatus: { response: 'tentativelyAccepted' } })],
  ])('are those: %s. Nothing but times is left', (_, event) => {
    expect(meetingsOf([event])).toEqual([MEETING])
  })

  it.each<[string, CalendarEvent]>([
    ['of whole days', google({ start: { date: '2026-03-23' }, end: { date: '2026-03-24' } })],
    ['of whole days', graph({ isAllDay: true, end: { dateTime: '2026-03-24T00:00:00', timeZone: 'UTC' } })],
    ['declined', google({ attendees: [{ self: true, responseStatus: 'declined' }] })],
    ['declined', graph({ responseStatus: { response: 'declined' } })],
    ['transparent', google({ transparency: 'transparent' })],
    ['free', graph({ showAs: 'free' })],
    ['where somebody works', google({ eventType: 'workingLocation' })],
    ['where somebody works', graph({ showAs: 'workingElsewhere' })],
    ['without an end', google({ end: undefined })],
  ])('are not those: %s', (_, event) => {
    expect(meetingsOf([event])).toEqual([])
  })

  it('are where an event was moved to', () => {
    const moved = google({
      start: { dateTime: '2026-03-23T15:00:00+01:00' },
      end: { dateTime: '2026-03-23T15:30:00+01:00' },
    })
    expect(meetingsOf([moved])).toEqual([
      { start: '2026-03-23T14:00:00.000Z', end: '2026-03-23T14:30:00.000Z' },
    ])
  })
})
