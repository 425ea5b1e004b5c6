import { expect, it } from 'vitest'
import { readEvent, toEvent } from './wire.ts'

const at = (dateTime: string) => ({ dateTime, timeZone: 'UTC' })
const [start, end] = [at('2026-03-23T08:00:00.0000000'), at('2026-03-23T09:00:00.0000000')]

it.each<[string, boolean, object]>([
  ['nothing else is said', true, {}],
  ['it is busy and theirs', true, { showAs: 'busy', responseStatus: { response: 'organizer' } }],
  ['it is tentative', true, { showAs: 'tentative', responseStatus: { response: 'tentativelyAccepted' } }],
  ['it is declined', false, { showAs: 'busy', responseStatus: { response: 'declined' } }],
  ['it is free', false, { showAs: 'free' }],
  ['somebody works elsewhere', false, { showAs: 'workingElsewhere' }],
])('an event takes time where %s: %s', (_, takesTime, more) => {
  const said = readEvent({ id: 'one', start, end, ...more })
  expect(said && toEvent(said)).toMatchObject({ takesTime })
})
