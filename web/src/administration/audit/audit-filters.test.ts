import { expect, it } from 'vitest'
import { EVERYTHING, filterInput } from './audit-filters.tsx'

const now = new Date(2026, 2, 23, 15, 30)

it('asks for everything where nothing is chosen, and for what is', () => {
  expect(filterInput(EVERYTHING, now)).toEqual({})
  expect(filterInput({ who: '42', action: 'room.created', days: 'all' }, now)).toEqual({
    actorKind: 'user',
    actorId: '42',
    action: 'room.created',
  })
})

it('counts days from midnight, today among them', () => {
  const since = (days: '1' | '7') => new Date(filterInput({ ...EVERYTHING, days }, now).since ?? '')
  expect(since('1')).toEqual(new Date(2026, 2, 23))
  expect(since('7')).toEqual(new Date(2026, 2, 17))
})
