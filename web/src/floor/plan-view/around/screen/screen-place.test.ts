import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Cell, Rect } from '../../../plan/building.ts'
import { NAME_HEIGHT, type Point } from '../../../plan/furniture/drawing.ts'
import { type Furniture, seatsInRoom } from '../../../plan/furniture/furnish.ts'
import { nameWidth } from '../../../plan/furniture/name-width.ts'
import { type OfficePlan, planOf } from '../../../plan/office-plan.ts'
import type { RoomKind } from '../../../plan/plan-room.ts'
import type { PlacedRoom } from '../../../plan/plots.ts'
import { seated } from '../../../plan/seating.ts'
import { SCREEN, screenPlace } from './screen-place.ts'

const kind = fc.constantFrom<RoomKind[]>('meeting', 'office', 'focus', 'kitchen', 'lounge', 'stage', 'desk')
const room = fc.record({ kind, seats: fc.constantFrom(null, 1, 2, 4, 6, 12, 20), people: fc.nat(30) })
const rooms = fc.array(room, { minLength: 1, maxLength: 24 })
const desk = fc.record({
  width: fc.integer({ min: 1_000, max: 2_500 }),
  height: fc.integer({ min: 620, max: 1_260 }),
  isFolded: fc.constant(false),
})
const phone = fc.record({
  width: fc.integer({ min: 320, max: 719 }),
  height: fc.constant(800),
  isFolded: fc.constant(true),
})

const overlap = (a: Rect, b: Rect) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
const around = ({ x, y }: Point, width: number, height: number): Rect => ({
  ...{ x: x - width / 2, y: y - height / 2 },
  ...{ width, height },
})

interface Drawn extends Rect {
  what: string
}

/** Everything that stands in a room, with the sharing person first. */
function drawnIn({ room, width, height }: Cell, furniture: Furniture, people: number): Drawn[] {
  const seats = seatsInRoom(furniture, people)
  const { face } = seats
  const ids = Array.from({ length: people }, (_, at) => `${room.id} ${at}`)
  const at = [...seated(new Map(), ids, seats.at.length).values()].map((seat) => seats.at[seat] as Point)
  const taken = seats.more ? [...at, seats.more] : at
  const faces = at.map((seat) => ({ ...seat, nameWidth: nameWidth(seat, taken, face, width) }))
  const [sharing] = faces
  const hasDesks = room.kind === 'office' || room.kind === 'focus' || room.kind === 'desk'
  const wish = hasDesks && sharing ? { x: sharing.x, y: sharing.y - 26 } : furniture.screen
  const screen = screenPlace({
    ...{ wish, sharing, faces, seats: seats.at, more: seats.more, face },
    room: { width, height },
  })
  // of the head before it only the crown is hidden
  const [own, ...others] = faces.map((seat) => ({ what: 'face', ...around(seat, face, face) }))
  return [
    { what: 'name of the room', x: 0, y: 0, width, height: 28 },
    ...(own ? [{ ...own, y: own.y + 12, height: own.height - 12 }] : []),
    ...others,
    ...faces.map((seat) => ({
      ...{ what: 'name', x: seat.x - seat.nameWidth / 2, y: seat.y + face / 2 },
      ...{ width: seat.nameWidth, height: NAME_HEIGHT },
    })),
    ...(seats.more ? [{ what: 'more', ...around(seats.more, 40, face) }] : []),
    ...(screen ? [{ what: 'screen', ...around(screen, SCREEN.width, SCREEN.height) }] : []),
  ]
}

/** What lies on something else, or in a wall. */
function faultsOf({ building, furniture }: OfficePlan, people: readonly number[]): string[] {
  return building.cells.flatMap((cell, index) => {
    const furnished = furniture.get(cell.room.id)
    if (!furnished) return []
    const all = drawnIn(cell, furnished, people[index] ?? 0)
    return all.flatMap((one, at) => [
      ...all.slice(at + 1).flatMap((other) => (overlap(one, other) ? [`${one.what} on ${other.what}`] : [])),
      ...(one.x < 0 || one.x + one.width > cell.width ? [`${one.what} in a wall`] : []),
    ])
  })
}

it.each([
  ['a desk', desk],
  ['a phone', phone],
] as const)('on %s nothing lies on a name, a face or a label, however many are in and share', (_, window) => {
  fc.assert(
    fc.property(rooms, window, (all, size) => {
      const placed = all.map(
        ({ kind, seats }, at): PlacedRoom => ({ id: `room ${at}`, kind, seats, position: at * 1_000 }),
      )
      const plan = planOf(placed, size)
      expect(
        faultsOf(
          plan,
          all.map(({ people }) => people),
        ),
      ).toEqual([])
    }),
    { numRuns: 300 },
  )
})

it('a screen stands where it is wished for, if that is free, and is drawn as large as the plan reckons', () => {
  const wish = { x: 100, y: 100 }
  const rest = { sharing: undefined, seats: [], face: 40, room: { width: 200, height: 200 } }
  expect(screenPlace({ wish, faces: [], ...rest })).toEqual(wish)
  expect(screenPlace({ wish, faces: [{ ...wish, nameWidth: 66 }], ...rest })).not.toEqual(wish)
  const css = readFileSync(new URL('./shared-screen.css', import.meta.url), 'utf8')
  const [, drawn = ''] = css.split('.screen-shared {')
  expect(drawn).toContain(`width: ${SCREEN.width / 16}rem`)
  expect(drawn).toContain(`height: ${SCREEN.height / 16}rem`)
})
