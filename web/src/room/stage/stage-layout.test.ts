import { describe, expect, it } from 'vitest'
import type { PersonInCall } from '../../media/call-state.ts'
import { columnsFor, type StageLayout, stageLayout } from './stage-layout.ts'

const person = (identity: string, more: Partial<PersonInCall> = {}): PersonInCall => ({
  ...{ identity, name: identity, isOwn: identity === 'me', isGuest: false, microphone: true },
  ...{ speaking: false, connection: 'good', camera: undefined, screen: undefined },
  ...more,
})
const screen = {} as PersonInCall['screen']
const keys = ({ main, others }: StageLayout) => [main?.key, others.map(({ key }) => key)]

describe('the stage', () => {
  const people = [person('me'), person('ada'), person('grace')]

  it('shows all alike', () => {
    expect(keys(stageLayout(people, 'grid', 'ada'))).toEqual([
      undefined,
      ['me person', 'ada person', 'grace person'],
    ])
  })

  it('shows who spoke last of the others, or the first of them', () => {
    expect(keys(stageLayout(people, 'speaker', 'grace'))).toEqual([
      'grace person',
      ['me person', 'ada person'],
    ])
    expect(stageLayout(people, 'speaker', undefined).main?.key).toBe('ada person')
    expect(stageLayout([person('me')], 'speaker', undefined).main).toBeUndefined()
  })

  it('shows a shared screen before everything, that of others before one’s own', () => {
    const sharing = [person('me', { screen }), person('ada'), person('grace', { screen })]
    expect(keys(stageLayout(sharing, 'grid', 'ada'))).toEqual([
      'grace screen',
      ['me screen', 'me person', 'ada person', 'grace person'],
    ])
    expect(stageLayout([person('me', { screen })], 'grid', undefined).main?.key).toBe('me screen')
  })

  it('stands in as many columns as keep pictures large', () => {
    expect([1, 2, 4, 5, 9, 12].map(columnsFor)).toEqual([1, 2, 2, 3, 3, 4])
  })
})
