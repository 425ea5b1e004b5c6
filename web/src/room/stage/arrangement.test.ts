import { describe, expect, it } from 'vitest'
import type { PersonInCall } from '../../media/call-state.ts'
import { type Arranging, arrange } from './arrangement.ts'

const person = (identity: string, more: Partial<PersonInCall> = {}): PersonInCall => ({
  ...{
    identity,
    sid: '',
    name: identity,
    isOwn: identity === 'me',
    isGuest: false,
    isBot: false,
    botId: undefined,
    microphone: true,
  },
  ...{ speaking: false, spokeAt: 0, connection: 'excellent', camera: undefined, screen: undefined },
  ...more,
})
const screen = {} as PersonInCall['screen']
const of = (people: readonly PersonInCall[], more: Partial<Arranging> = {}) => {
  const { large, tiles, self } = arrange({
    people,
    pinned: undefined,
    before: undefined,
    smallSelf: false,
    ...more,
  })
  return { large: large?.key, tiles: tiles.map(({ key }) => key), self: self?.key }
}
const people = [person('me'), person('ada', { spokeAt: 1 }), person('grace', { spokeAt: 2 }), person('mae')]

describe('the stage', () => {
  it('shows all alike as they came, oneself last', () => {
    const all = ['ada person', 'grace person', 'mae person', 'me person']
    expect(of(people)).toEqual({ large: undefined, tiles: all, self: undefined })
    expect(of([person('me')])).toEqual({ large: undefined, tiles: ['me person'], self: undefined })
  })

  it('shows oneself small where two look at each other, or where that was chosen', () => {
    expect(of([person('me'), person('ada')])).toMatchObject({ tiles: ['ada person'], self: 'me person' })
    expect(of(people, { smallSelf: true })).toMatchObject({ self: 'me person' })
    expect(of([person('me')], { smallSelf: true })).toMatchObject({ tiles: ['me person'], self: undefined })
  })

  it('shows a screen of others large, beside it who spoke last first, oneself last', () => {
    const sharing = people.map((one) => (one.identity === 'mae' ? { ...one, screen } : one))
    expect(of(sharing)).toEqual({
      large: 'mae screen',
      tiles: ['grace person', 'ada person', 'mae person', 'me person'],
      self: undefined,
    })
  })

  it('shows one’s own screen to others only', () => {
    const presenting = people.map((one) => (one.isOwn ? { ...one, screen } : one))
    expect(of(presenting)).toEqual(of(people))
  })

  it('stays with the first of several screens, and offers the others', () => {
    const both = people.map((one) => (one.isOwn ? one : { ...one, screen }))
    expect(of(both, { before: 'grace screen' })).toMatchObject({ large: 'grace screen' })
    expect(of(both).tiles.slice(0, 2)).toEqual(['grace screen', 'mae screen'])
    expect(of(people, { before: 'grace screen' }).large).toBeUndefined()
  })

  it('shows what is pinned before any screen, as long as it is there', () => {
    const sharing = people.map((one) => (one.identity === 'mae' ? { ...one, screen } : one))
    expect(of(sharing, { pinned: 'ada person' })).toMatchObject({
      large: 'ada person',
      tiles: ['mae screen', 'grace person', 'mae person', 'me person'],
    })
    expect(of(people, { pinned: 'me person' })).toMatchObject({ large: 'me person' })
    expect(of(sharing, { pinned: 'gone person' })).toMatchObject({ large: 'mae screen' })
  })
})
