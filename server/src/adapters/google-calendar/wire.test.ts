import { expect, it } from 'vitest'
import { readEvent, toEvent } from './wire.ts'

const [start, end] = [{ dateTime: '2026-03-23T09:00:00+01:00' }, { dateTime: '2026-03-23T10:00:00+01:00' }]

it.each<[string, boolean, object]>([
  ['nothing else is said', true, {}],
  ['it is accepted', true, { attendees: [{ self: true, responseStatus: 'accepted' }] }],
  [
    'somebody else declined',
    true,
    { attendees: [{ email: 'x@people.example', responseStatus: 'declined' }] },
  ],
  ['it is declined', false, { attendees: [{ self: true, responseStatus: 'declined' }] }],
  ['it is marked as free', false, { transparency: 'transparent' }],
  ['it says where somebody works', false, { eventType: 'workingLocation' }],
])('an event takes time where %s: %s', (_, takesTime, more) => {
  const said = readEvent({ id: 'one', start, end, ...more })
  expect(said && toEvent(said, 'UTC')).toMatchObject({ takesTime })
})
