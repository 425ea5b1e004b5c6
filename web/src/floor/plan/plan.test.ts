import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { atriumOf } from './atrium.ts'
import type { Cell, Rect } from './building.ts'
import { NAME_HEIGHT } from './furniture/drawing.ts'
import { fillingPlan, type OfficePlan, planOf } from './office-plan.ts'
import type { PlanRoom, RoomKind } from './plan-room.ts'
import type { PlacedRoom } from './plots.ts'
import { withPlots } from './plots.ts'
import { columnsOf } from './rows.ts'
import { seated } from './seating.ts'

const kind = fc.constantFrom<RoomKind[]>('meeting', 'office', 'focus', 'kitchen', 'lounge', 'stage', 'desk')
const rooms = fc
  .array(fc.record({ kind, seats: fc.constantFrom(null, 1, 2, 4, 6, 8, 12, 20) }), {
    minLength: 1,
    maxLength: 60,
  })
  .map((all) =>
    all.map((room, at): PlacedRoom => ({ ...room, id: `room-${at}`, position: (at + 1) * 1_000 })),
  )
const size = fc.record({
  width: fc.integer({ min: 1_000, max: 2_500 }),
  height: fc.integer({ min: 620, max: 1_260 }),
})
const OFFICES = { numRuns: 2_000 }

const overlap = (a: Rect, b: Rect) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
const touch = (a: Rect, b: Rect) =>
  a.x <= b.x + b.width && b.x <= a.x + a.width && a.y <= b.y + b.height && b.y <= a.y + a.height

/** Just outside of the door, from one jamb to the other. */
function threshold({ x, y, width, height, side, door }: Cell): Rect {
  const from = door.at - door.width / 2
  if (side === 'left' || side === 'right')
    return { x: side === 'right' ? x + width : x - 1, y: y + from, width: 1, height: door.width }
  return { x: x + from, y: side === 'down' ? y + height : y - 1, width: door.width, height: 1 }
}

const contains = (outer: Rect, inner: Rect) =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height

/** What is wrong with a building; empty where nothing is. */
function faultsOf({ building }: OfficePlan): string[] {
  const { cells, halls, width, height } = building
  const faults: string[] = []
  const whole = { x: 0, y: 0, width, height }
  const places: readonly Rect[] = [...cells, ...halls]
  for (const [at, cell] of cells.entries()) {
    if (!contains(whole, cell)) faults.push(`${cell.room.id} leaves the building`)
    if (places.slice(at + 1).some((other) => overlap(cell, other))) faults.push(`${cell.room.id} overlaps`)
    if (!halls.some((hall) => contains(hall, threshold(cell))))
      faults.push(`the door of ${cell.room.id} opens on no hall`)
  }
  const reached = new Set([building.atrium])
  for (const hall of reached) for (const other of halls) if (touch(hall, other)) reached.add(other)
  if (reached.size !== halls.length) faults.push('a hall is cut off')
  return faults
}

/** Seats outside their room, or on another. */
function seatFaultsOf({ building, furniture }: OfficePlan): string[] {
  return building.cells.flatMap(({ room, width, height }) =>
    (furniture.get(room.id)?.seats ?? []).flatMap(({ at, face }) => {
      const places = at.map(({ x, y }) => ({
        ...{ x: x - face / 2, y: y - face / 2 },
        ...{ width: face, height: face + NAME_HEIGHT },
      }))
      return places.flatMap((place, index) => [
        ...(contains({ x: 0, y: 0, width, height }, place) ? [] : [`${room.id}: a seat is outside`]),
        ...(places.slice(index + 1).some((other) => overlap(place, other))
          ? [`${room.id}: seats overlap`]
          : []),
      ])
    }),
  )
}

/** Of what is said of a class in a style sheet, in pixels. */
function pixelsOf(css: string, selector: string, property: string): number {
  const [, block = ''] = css.split(`\n${selector} {`)
  const [, rems] = new RegExp(`\\b${property}: ([\\d.]+)rem`).exec(block.slice(0, block.indexOf('}'))) ?? []
  return Number(rems) * 16
}

describe('a name below a face', () => {
  const css = readFileSync(new URL('../plan-view/face.css', import.meta.url), 'utf8')

  it('is drawn as high as the plan reckons', () => {
    const height = pixelsOf(css, '.face-name', 'margin-top') + pixelsOf(css, '.face-name', 'line-height')
    expect(height).toBe(NAME_HEIGHT)
  })

  it('stays where it is while one speaks', () => {
    expect(css).not.toMatch(/\.face-(speaking|own) \.face-name[^}]*translate/)
  })
})

describe('the plan of any office', () => {
  it('has rooms that tile, doors on halls, halls that connect, and seats in their rooms', () => {
    fc.assert(
      fc.property(rooms, size, (all, window) => {
        const plan = planOf(withPlots(all), window)
        expect(faultsOf(plan)).toEqual([])
        expect(seatFaultsOf(plan)).toEqual([])
        for (const { seats } of plan.furniture.values()) expect(seats[0].at.length).toBeGreaterThan(0)
        const { cells } = plan.building
        expect(cells.map(({ room }) => room.id)).toEqual(withPlots(all).map(({ id }) => id))
        // room for furniture and names
        expect(Math.min(...cells.map(({ width }) => width))).toBeGreaterThanOrEqual(120)
        expect(Math.min(...cells.map(({ height }) => height))).toBeGreaterThanOrEqual(100)
      }),
      OFFICES,
    )
  })

  it('is the same for the same input, whatever was planned meanwhile', () => {
    fc.assert(
      fc.property(rooms, size, (all, window) => {
        const plan = structuredClone(planOf(withPlots(all), window))
        for (let other = 1; other <= 9; other += 1)
          planOf(withPlots(all), { ...window, height: window.height + 8 * other })
        expect(planOf(withPlots(all), window)).toEqual(plan)
      }),
      { numRuns: 100 },
    )
  })

  it('is drawn anew in steps of eight pixels, and only then', () => {
    const all = withPlots(fc.sample(rooms, { numRuns: 1, seed: 7 })[0] ?? [])
    expect(planOf(all, { width: 1_176, height: 720 })).toBe(planOf(all, { width: 1_183, height: 727 }))
    expect(planOf(all, { width: 1_176, height: 720 })).not.toBe(planOf(all, { width: 1_184, height: 720 }))
  })

  it('keeps its number of rows while a window is dragged, unless another one is much better', () => {
    fc.assert(
      fc.property(rooms, size, fc.integer({ min: -60, max: 60 }), (all, window, by) => {
        const { rows } = planOf(withPlots(all), window).building
        const kept = planOf(withPlots(all), { ...window, width: window.width + by, keptRows: rows })
        const anew = planOf(withPlots(all), { ...window, width: window.width + by })
        expect([rows, anew.building.rows]).toContain(kept.building.rows)
      }),
      { numRuns: 200 },
    )
  })

  it('leaves every place as it is when a plot is built', () => {
    const few = rooms.filter((all) => columnsOf(all).length < 6)
    fc.assert(
      fc.property(few, size, fc.nat(), (all, window, choice) => {
        const before = planOf(withPlots(all), window)
        const plots = before.building.cells.filter(({ room }) => room.isPlot)
        const plot = plots[choice % plots.length] as Cell
        const { position } = withPlots(all).find(({ id }) => id === plot.room.id) as PlacedRoom
        const built: PlacedRoom = { id: 'built', kind: plot.room.kind, seats: null, position }
        const with1 = [...all, built].sort((one, other) => one.position - other.position)
        const after = planOf(withPlots(with1), window)
        const places = (plan: OfficePlan) =>
          plan.building.cells.map(({ room, x, y, width, height }) => [room.kind, x, y, width, height])
        expect(places(after)).toEqual(places(before))
      }),
      { numRuns: 500 },
    )
  })
})

describe('the plan of a narrow window', () => {
  const narrow = fc.integer({ min: 320, max: 719 })

  it('has rooms that tile, doors on halls, and halls that connect', () => {
    fc.assert(
      fc.property(rooms, narrow, (all, width) => {
        const plan = planOf(all, { width, height: 600, isFolded: true })
        expect(faultsOf(plan)).toEqual([])
        expect(seatFaultsOf(plan)).toEqual([])
      }),
      OFFICES,
    )
  })
})

describe('the atrium', () => {
  it('has parts with their seats in it, and none on another', () => {
    fc.assert(
      fc.property(fc.integer({ min: 800, max: 2_500 }), fc.constantFrom(172, 236), (width, height) => {
        const { zones } = atriumOf({ width, height })
        for (const tier of [0, 1, 2]) {
          const places = zones.flatMap(({ seats }) => {
            const { at, face } = seats[tier] ?? seats[0]
            return at.map(({ x, y }) => ({
              ...{ x: x - face / 2, y: y - face / 2 },
              ...{ width: face, height: face + NAME_HEIGHT },
            }))
          })
          for (const [at, place] of places.entries()) {
            expect(contains({ x: 0, y: 0, width, height }, place)).toBe(true)
            expect(places.slice(at + 1).some((other) => overlap(place, other))).toBe(false)
          }
        }
      }),
      { numRuns: 200 },
    )
  })

  it('has more seats the smaller the faces are', () => {
    for (const { seats } of atriumOf({ width: 1_168, height: 172 }).zones) {
      const counts = seats.map(({ at }) => at.length)
      expect(counts).toEqual([...counts].sort((one, other) => one - other))
    }
  })
})

describe('a large window', () => {
  const kinds = ['office', 'meeting', 'kitchen', 'focus', 'stage', 'meeting', 'lounge', 'office'] as const
  const rooms = kinds.map((kind, at): PlanRoom => ({ id: `${at}`, kind, seats: null }))

  it.each([2440, 3800])('of %i units is filled by a larger plan, and not beyond its height', (width) => {
    const { building, zoom } = fillingPlan(rooms, { width, height: 1360 })
    expect(zoom).toBeGreaterThan(1)
    expect(building.height * zoom).toBeGreaterThan(1360 * 0.75)
    expect(building.height * zoom).toBeLessThanOrEqual(1360)
    expect(building.width * zoom).toBeLessThanOrEqual(width)
  })

  it.each([
    [1160, 720],
    [1840, 1000],
    [1840, 1120],
  ])('is not one of %i × %i', (width, height) => {
    expect(fillingPlan(rooms, { width, height }).zoom).toBe(1)
  })
})

describe('plots', () => {
  it('fill an office of fewer than six columns, each with a kind that it lacks', () => {
    const kitchen: PlacedRoom = { id: '1', kind: 'kitchen', seats: null, position: 1_000 }
    const plots = withPlots([kitchen]).filter(({ isPlot }) => isPlot)
    expect(plots.map((plot) => plot.kind)).toEqual(['lounge', 'stage', 'meeting', 'office', 'office'])
    expect(plots.map(({ number }) => number)).toEqual([1, 1, 1, 1, 2])
  })

  it('keep their numbers when one of a kind is built', () => {
    const [kitchen, office] = (['kitchen', 'office'] as const).map(
      (kind, at): PlacedRoom => ({ id: kind, kind, seats: null, position: (at + 1) * 1_000 }),
    ) as [PlacedRoom, PlacedRoom]
    const plots = withPlots([kitchen, office]).filter(({ isPlot }) => isPlot)
    expect(plots.map(({ kind, number }) => [kind, number])).toEqual([
      ['lounge', 1],
      ['stage', 1],
      ['meeting', 1],
      ['office', 2],
    ])
  })

  it('lie where a room was deleted', () => {
    const places = [1_000, 3_000, 4_000, 5_000, 6_000]
    const all = places.map(
      (position): PlacedRoom => ({ id: `${position}`, kind: 'meeting', seats: 6, position }),
    )
    expect(withPlots(all).map(({ isPlot }) => isPlot === true)).toEqual([
      false,
      true,
      false,
      false,
      false,
      false,
    ])
  })
})

describe('seating', () => {
  const ids = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 6 }), { maxLength: 40 })

  it('gives everybody a seat of their own, as long as there are some', () => {
    fc.assert(
      fc.property(ids, fc.integer({ min: 1, max: 30 }), (people, seats) => {
        const seating = seated(new Map(), people, seats)
        expect(new Set(seating.values()).size).toBe(Math.min(people.length, seats))
        for (const seat of seating.values()) expect(seat).toBeLessThan(seats)
      }),
    )
  })

  it('leaves who stays where they are, while others come and go', () => {
    fc.assert(
      fc.property(ids, ids, fc.integer({ min: 1, max: 30 }), (before, after, seats) => {
        const first = seated(new Map(), before, seats)
        const next = seated(first, after, seats)
        for (const [id, seat] of first) if (after.includes(id)) expect(next.get(id)).toBe(seat)
      }),
    )
  })
})
