import { describe, expect, it } from 'vitest'
import { planOf } from '../floor/plan/office-plan.ts'
import { withPlots } from '../floor/plan/plots.ts'
import { type FirstKind, firstKinds, firstRooms, usualKinds } from './first-rooms.ts'

const SIZE = { width: 872, height: 640 }

const placesOf = (chosen: readonly FirstKind[]) =>
  planOf(withPlots(firstRooms(chosen)), SIZE).building.cells.filter(({ room }) => !room.isPlot)

describe('the first rooms', () => {
  it('stand in the order of the office', () => {
    expect(firstRooms(['stage', 'kitchen']).map(({ kind }) => kind)).toEqual(['kitchen', 'stage'])
  })

  it.each(firstKinds)('keep their order on the plan when %s is not chosen', (left) => {
    const all = placesOf(firstKinds).map(({ room }) => room.id)
    const fewer = placesOf(firstKinds.filter((kind) => kind !== left)).map(({ room }) => room.id)
    expect(fewer).toEqual(all.filter((id) => id !== left))
  })

  it('are on the plan as it is drawn at first, with free plots beside them', () => {
    const { cells } = planOf(withPlots(firstRooms(usualKinds)), SIZE).building
    expect(cells.filter(({ room }) => room.isPlot).length).toBeGreaterThan(0)
    expect(cells.filter(({ room }) => !room.isPlot).map(({ room }) => room.id)).toEqual(usualKinds)
  })

  it('are none where none is chosen: the whole plan is free', () => {
    expect(placesOf([])).toEqual([])
  })
})
