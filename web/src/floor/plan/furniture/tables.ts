import { clamp } from '../rows.ts'
import { box, disc, plant } from '../shapes.ts'
import { type Furnished, NAME_HEIGHT, type Space } from './drawing.ts'

/** A table with chairs along both of its long sides. */
export function meeting(space: Space): Furnished {
  const { inner } = space
  const table = inner.width >= inner.height * 0.92 ? broadTable(space) : longTable(space)
  return {
    ...table,
    drawing: { ...table.drawing, plants: plant(space.width - 20, space.height - 20, 9) },
  }
}

function broadTable({ inner, width, capacity, face }: Space): Furnished {
  const pitch = face + 19
  const chairs = Math.max(1, Math.min(Math.ceil(capacity / 2), Math.floor((inner.width - 20) / pitch)))
  const middle = inner.y + inner.height / 2 - 4
  const depth = clamp(26, inner.height - 2 * face - 44, 120)
  const length = chairs * pitch + 4
  const left = inner.x + inner.width / 2 - length / 2
  const seats = Array.from({ length: chairs }, (_, at) => left + 2 + pitch * (at + 0.5)).flatMap((x) => [
    { x, y: middle - (depth / 2 + face / 2 - 5) },
    { x, y: middle + (depth / 2 + face / 2 - 5) - 4 },
  ])
  // the middle of a table is taken first
  seats.sort((one, other) => Math.abs(one.x - width / 2) - Math.abs(other.x - width / 2))
  return {
    drawing: { tables: box(left - 2, middle - depth / 2, length + 4, depth, 12) },
    seats,
    // a narrow table has no place between the faces
    screen: depth >= 48 ? { x: width / 2, y: middle + 9 } : { x: width - 32, y: inner.y + 8 },
    face,
  }
}

function longTable({ inner, capacity, face }: Space): Furnished {
  const close = face + NAME_HEIGHT + 2
  const chairs = Math.max(1, Math.min(Math.ceil(capacity / 2), Math.floor(inner.height / close)))
  const pitch = clamp(close, inner.height / chairs, close + 14)
  const middle = inner.x + inner.width / 2
  const depth = clamp(34, inner.width - 2 * face - 6, 110)
  const length = chairs * pitch - 4
  const top = inner.y + inner.height / 2 - length / 2
  const reach = depth / 2 + face / 2 - 7
  const seats = Array.from({ length: chairs }, (_, at) => top + pitch * (at + 0.5) - NAME_HEIGHT / 2).flatMap(
    (y) => [
      { x: middle - reach, y },
      { x: middle + reach, y },
    ],
  )
  return {
    drawing: { tables: box(middle - depth / 2, top - 2, depth, length, 14) },
    seats,
    screen: { x: middle, y: top + length / 2 - 4 },
    face,
  }
}

/** A bar along the wall opposite the door, and tables to stand around. */
export function kitchen({ width, height, side, inner, capacity, face }: Space): Furnished {
  const bar = side === 'up' ? height - 28 : inner.y - 2
  const floor = {
    x: inner.x - 4,
    y: side === 'up' ? inner.y - 4 : inner.y + 22,
    width: inner.width + 8,
    height: inner.height - 18,
  }
  const tables = Math.max(1, Math.floor(floor.width / (face * 2 + 34)))
  const room = Math.floor(floor.height / (face + NAME_HEIGHT + 1))
  const deep = Math.max(1, Math.min(Math.ceil(capacity / 2 / tables), room))
  const pitch = { x: floor.width / tables, y: Math.min(floor.height / deep, face + NAME_HEIGHT + 10) }
  const reach = Math.min(pitch.x / 2 - face / 2 - 6, face * 0.5 + 14)
  const middle = floor.y + floor.height / 2 - NAME_HEIGHT / 2 + 1
  const centres = Array.from({ length: tables }, (_, at) => floor.x + pitch.x * (at + 0.5))
  const seats = Array.from({ length: deep }, (_, at) => middle + pitch.y * (at - (deep - 1) / 2)).flatMap(
    (y) =>
      centres.flatMap((x) => [
        { x: x - reach, y },
        { x: x + reach, y },
      ]),
  )
  const tops = centres.map((x) =>
    box(x - face * 0.52, middle - (pitch.y * deep) / 2 + 10, face * 1.04, pitch.y * deep - 20, face * 0.5),
  )
  const plates = [30, 44, 58].map((fromRight) => disc(width - fromRight, bar + 10, 4))
  return {
    drawing: {
      tables: box(8, bar, width - 16, 20) + tops.join(''),
      lines: box(16, bar + 4, 22, 12) + plates.join(''),
    },
    seats,
    screen: { x: width / 2, y: bar + 10 },
    face,
  }
}
