import { expect, it } from 'vitest'
import { atriumOf } from '../atrium.ts'
import type { Rect } from '../building.ts'
import { planOf } from '../office-plan.ts'
import type { PlacedRoom } from '../plots.ts'
import { NAME_HEIGHT, NAME_WIDTH } from './drawing.ts'
import type { Seats } from './furnish.ts'
import { nameWidth } from './name-width.ts'

const kinds = ['meeting', 'office', 'focus', 'kitchen', 'lounge', 'stage', 'desk'] as const
const rooms = Array.from({ length: 21 }, (_, at): PlacedRoom => {
  const kind = kinds[at % kinds.length] as (typeof kinds)[number]
  return { id: `room-${at}`, kind, seats: [2, 8, 20][at % 3] as number, position: at * 1_000 }
})

const overlap = (a: Rect, b: Rect) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

/** Names that lie on another name, or on a face, where every seat is taken. */
function touching({ at, face }: Seats): string[] {
  const names = at.map((seat): Rect => {
    const width = nameWidth(seat, at, face)
    return { x: seat.x - width / 2, y: seat.y + face / 2, width, height: NAME_HEIGHT }
  })
  const faces = at.map(
    ({ x, y }): Rect => ({
      ...{ x: x - face / 2, y: y - face / 2 },
      ...{ width: face, height: face },
    }),
  )
  return names.flatMap((name, index) => [
    ...names.slice(index + 1).flatMap((other) => (overlap(name, other) ? ['name on name'] : [])),
    ...faces.flatMap((other) => (overlap(name, other) ? ['name on face'] : [])),
  ])
}

it('no name touches another one or a face, however full the rooms and the atrium are', () => {
  for (const [width, height] of [
    [1_000, 620],
    [1_280, 800],
    [2_500, 1_260],
  ] as const) {
    const { furniture } = planOf(rooms, { width, height })
    for (const { seats } of furniture.values()) expect(seats.flatMap(touching)).toEqual([])
    for (const { seats } of atriumOf({ width, height: 172 }).zones)
      expect(seats.flatMap(touching)).toEqual([])
  }
})

it('a name without neighbours is as wide as names become', () => {
  expect(nameWidth({ x: 0, y: 0 }, [{ x: 0, y: 0 }], 40)).toBe(NAME_WIDTH)
  expect(nameWidth({ x: 0, y: 0 }, [{ x: 200, y: 0 }], 40)).toBe(NAME_WIDTH)
  expect(nameWidth({ x: 0, y: 0 }, [{ x: 53, y: 0 }], 40)).toBe(50)
})
