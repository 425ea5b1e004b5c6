import { hashOf } from '../hashing.ts'
import { clamp } from '../rows.ts'
import { box, disc, line, plant } from '../shapes.ts'
import type { Furnished, Point, Space } from './drawing.ts'

/** A sofa, armchairs on both sides, a low table on a rug. */
export function lounge({ width, height, inner, face }: Space): Furnished {
  const middle = { x: width / 2, y: inner.y + inner.height / 2 }
  const sofa = Math.min(inner.width - 70, 190)
  const places = Math.max(1, Math.floor(sofa / (face + 10)))
  const left = middle.x - sofa / 2
  const onSofa = Array.from({ length: places }, (_, at) => ({
    x: left + (sofa * (at + 0.5)) / places,
    y: inner.y + face * 0.5 + 2,
  }))
  const heights = inner.height > 150 ? [0.5, 0.83] : [0.62]
  const chairs = [inner.x + face / 2 + 2, inner.x + inner.width - face / 2 - 2].flatMap((x) =>
    heights.map((part) => ({ x, y: inner.y + inner.height * part - 4 })),
  )
  const armchair = ({ x, y }: Point) => box(x - face / 2 - 3, y - face / 2 - 3, face + 6, face + 6, 10)
  return {
    drawing: {
      rug: box(inner.x + 14, inner.y + 18, inner.width - 28, inner.height - 26, 20),
      tables:
        box(left, inner.y, sofa, face * 0.72, 9) +
        chairs.map(armchair).join('') +
        disc(middle.x, middle.y + 18, clamp(12, inner.width / 8, 24)),
      lines: box(left + 6, inner.y, sofa - 12, 9, 4),
      plants: plant(middle.x, height - 22, 10),
    },
    seats: [...onSofa, ...chairs],
    screen: { x: middle.x, y: middle.y + 14 },
    face,
  }
}

/** Shelves along a wall, and armchairs to read in. */
export function library({ width, inner, capacity, face }: Space): Furnished {
  const [left, room] = [inner.x + 16, inner.width - 18]
  const across = Math.max(1, Math.min(2, Math.floor(room / (face + 22))))
  const rows = Math.ceil(capacity / across)
  const pitch = { x: room / across, y: inner.height / rows }
  const seats = Array.from({ length: across * rows }, (_, at) => ({
    x: left + pitch.x * ((at % across) + 0.5),
    y: inner.y + pitch.y * (Math.floor(at / across) + 0.5) - 4,
  }))
  // more would stand in each other
  const chairs = pitch.y >= face + 12 ? seats : []
  let books = ''
  for (let y = inner.y + 6; y < inner.y + inner.height; y += 7)
    books += line(10, y, 6 + (hashOf(`book ${y}`) % 5))
  return {
    drawing: {
      tables:
        box(8, inner.y, 14, inner.height + 4) +
        chairs.map(({ x, y }) => box(x - face / 2 - 6, y - face / 2 - 8, face + 12, face + 10, 13)).join(''),
      lines: books + chairs.map(({ x, y }) => line(x - face / 2 + 1, y - face / 2 - 1, face - 2)).join(''),
    },
    seats,
    screen: { x: width / 2, y: inner.y + inner.height / 2 },
    face,
  }
}

const STAGE_FACE = 34
const ROW_PITCH = 26

/** A stage with the first seat on it, and rows of chairs that bend around it. */
export function stage({ width, height, side, inner }: Space): Furnished {
  const top = side === 'up' ? inner.y : inner.y + 4
  const [half, middle] = [width * 0.3, width / 2]
  const seats: Point[] = [{ x: middle, y: top + 18 }]
  const first = top + 64
  let rows = ''
  for (let row = 0; first + row * ROW_PITCH < height - 18; row += 1) {
    const y = first + row * ROW_PITCH
    const left = inner.x + 16 + (row % 2) * 13
    const right = width - left
    const bow = Math.min(18, height - 20 - y)
    rows += `M${Math.round(left)} ${Math.round(y)}Q${Math.round(middle)} ${Math.round(y + bow)} ${Math.round(right)} ${Math.round(y)}`
    // a name needs the row behind it
    if (row % 2 === 1) continue
    for (let x = left + 26; x < right - 20; x += 2 * ROW_PITCH)
      seats.push({ x, y: y + bow * 0.5 * (1 - ((x - middle) / (middle - left)) ** 2) })
  }
  const [l, w] = [Math.round(middle - half), Math.round(half * 2)]
  return {
    drawing: {
      tables: `M${l} ${Math.round(top)}h${w}v20q${-Math.round(half)} 26-${w} 0Z`,
      rows,
    },
    seats,
    screen: { x: middle, y: top + 4 },
    face: STAGE_FACE,
  }
}
