import type { Rect } from './building.ts'
import { FACE_SIZES, NAME_HEIGHT, type Point } from './furniture/drawing.ts'
import type { Seats } from './furniture/furnish.ts'
import { box, disc, plant } from './shapes.ts'

export const zoneKeys = ['arrivals', 'atrium', 'elsewhere', 'quiet'] as const
export type ZoneKey = (typeof zoneKeys)[number]

/** A part of the atrium. Its size does not depend on the people in it. */
export interface Zone {
  key: ZoneKey
  /** Where its name begins. */
  heading: Point
  /** Where it ends on the right. */
  end: number
  /** Where something stands below its people. */
  foot: number
  /** For more and more people, the faces smaller each time. */
  seats: readonly [Seats, ...Seats[]]
}

/** Relative to the atrium. */
export interface Atrium {
  zones: readonly Zone[]
  drawing: {
    /** Path data: each sofa, and the lines of its back and its seats. */
    sofas: readonly { seat: string; back: string }[]
    /** Between the parts: a pot, and the crown of its plant. */
    plants: readonly { pot: string; crown: string }[]
    mat: string
    steps: string
    /** Under those who do not want to be disturbed. */
    rug: string
  }
}

/** Where each part ends. */
const ENDS: Record<ZoneKey, number> = { arrivals: 0.19, atrium: 0.62, elsewhere: 0.82, quiet: 1 }
/** Beside a face, and below its name, another one has room. */
const PITCH = { x: 26, y: NAME_HEIGHT + 2 }
const ROW_PITCH = 64
const POT = 24
const FOOT = 39
/** Two rows of people have room from this height on. */
const TWO_ROWS = 220

export function atriumOf({ width, height }: Pick<Rect, 'width' | 'height'>): Atrium {
  const rows = height >= TWO_ROWS ? 2 : 1
  const block = 30 + (rows - 1) * ROW_PITCH + FACE_SIZES[0] + NAME_HEIGHT
  const top = Math.round((height - block) / 2)
  const pots = [width * ENDS.arrivals, width * ENDS.atrium].map(Math.round)
  const [first = 0, second = 0] = pots
  const spans: Record<ZoneKey, [from: number, to: number]> = {
    arrivals: [82, first - POT - 8],
    atrium: [first + POT + 10, second - POT - 10],
    elsewhere: [second + POT + 10, width * ENDS.elsewhere - 4],
    quiet: [width * ENDS.elsewhere + 14, width - 18],
  }
  const zones = zoneKeys.map((key): Zone => {
    const [from, to] = spans[key]
    const [roomy, ...dense] = FACE_SIZES.map((face) => seatsBetween(from, to, { top, height, rows, face }))
    return {
      key,
      heading: { x: Math.round(key === 'arrivals' ? 22 : from), y: top },
      end: Math.round(to),
      foot: height - FOOT,
      seats: [roomy as Seats, ...dense],
    }
  })
  const sofas = zones.find(({ key }) => key === 'atrium')?.seats[0]
  return { zones, drawing: drawn({ width, height, top, pots }, sofas?.at ?? []) }
}

interface Lines {
  top: number
  height: number
  rows: number
  face: number
}

function seatsBetween(from: number, to: number, { top, height, rows, face }: Lines): Seats {
  const across = Math.max(1, Math.floor((to - from) / (face + PITCH.x - (FACE_SIZES[0] - face) / 2)))
  const pitch = { x: (to - from) / across, y: face === FACE_SIZES[0] ? ROW_PITCH : face + PITCH.y }
  const first = top + 22 + face / 2
  const fit = Math.floor((height - 12 - (first - face / 2)) / pitch.y)
  const lines = face === FACE_SIZES[0] ? rows : Math.max(rows, fit)
  return {
    at: Array.from({ length: across * lines }, (_, at) => ({
      x: Math.round(from + pitch.x * ((at % across) + 0.5)),
      y: Math.round(first + pitch.y * Math.floor(at / across)),
    })),
    face,
  }
}

function drawn(
  { width, height, top, pots }: { width: number; height: number; top: number; pots: readonly number[] },
  seats: readonly Point[],
): Atrium['drawing'] {
  const middle = Math.round(height / 2)
  const rows = [...new Set(seats.map(({ y }) => y))]
  // two seats to a sofa
  const sofas = rows.flatMap((y) => {
    const inRow = seats.filter((seat) => seat.y === y)
    return inRow.flatMap(({ x }, at) => {
      const next = inRow[at + 1]
      return at % 2 === 0 && next ? [{ x: x - 24, y: y - 16, width: next.x - x + 48 }] : []
    })
  })
  return {
    sofas: sofas.map(({ x, y: top, width: wide }) => ({
      seat: box(x, top, wide, 38, 12),
      back: `M${x + 8} ${top + 9}h${wide - 16}M${Math.round(x + wide / 2)} ${top + 9}v26`,
    })),
    plants: pots.map((x) => ({ pot: disc(x, middle, POT), crown: plant(x, middle, POT - 4, 13) })),
    mat: box(8, middle - 30, 26, 60, 3),
    steps: `M44 ${middle}q14-6 26 0`,
    rug: box(
      Math.round(width * ENDS.elsewhere) + 8,
      top + 1 + NAME_HEIGHT,
      Math.round(width * (1 - ENDS.elsewhere)) - 24,
      Math.max(40, height - 2 * top - 2),
      16,
    ),
  }
}
