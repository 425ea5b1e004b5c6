import { box, disc, line, plant } from '../shapes.ts'
import { type Furnished, NAME_HEIGHT, type Space } from './drawing.ts'

/** Desks in rows, as many as there are seats. */
export function office({ inner, capacity, face }: Space): Furnished {
  const [wide, deep] = [face + 20, face + NAME_HEIGHT + 14]
  const across = Math.max(
    1,
    Math.min(Math.floor(inner.width / wide), Math.ceil(Math.sqrt((capacity * inner.width) / inner.height))),
  )
  const rows = Math.max(1, Math.min(Math.ceil(capacity / across), Math.floor((inner.height + 8) / deep)))
  const pitch = { x: inner.width / across, y: Math.min(inner.height / rows, deep + 16) }
  const top = inner.y + (inner.height - pitch.y * rows) / 2
  const seats = Array.from({ length: Math.min(capacity, across * rows) }, (_, at) => ({
    x: inner.x + pitch.x * ((at % across) + 0.5),
    y: top + pitch.y * Math.floor(at / across) + 16 + face / 2,
  }))
  const corner = { x: inner.x + inner.width - 8, y: inner.y + inner.height - 6 }
  // names are wider than faces
  const isFree = seats.every(
    ({ x, y }) => Math.abs(x - corner.x) > 44 || y + face / 2 + NAME_HEIGHT < corner.y - 12,
  )
  const desk = (x: number, y: number) => box(x - pitch.x / 2 + 5, y - face / 2 - 13, pitch.x - 10, 19)
  return {
    drawing: {
      tables: seats.map(({ x, y }) => desk(x, y)).join(''),
      lines: seats.map(({ x, y }) => line(x - 9, y - face / 2 - 9, 18)).join(''),
      plants: isFree ? plant(corner.x, corner.y, 9) : '',
    },
    seats,
    screen: { x: inner.x + pitch.x * 0.5, y: top + 8 },
    face,
  }
}

/** A desk for one, or two of them side by side. */
export function booth(space: Space, isOwned: boolean): Furnished {
  const { width, height, inner, capacity, face } = space
  const isShared = capacity > 1 && inner.width >= 110
  // two of them stand in the middle together
  const x = isShared ? width / 2 - 21 : width * (isOwned ? 0.42 : 0.5)
  const y = inner.y + inner.height * 0.5 - 2
  const back = y - face / 2
  const shelf = isOwned && !isShared ? box(x + 40, back - 12, 18, 46) : ''
  return {
    drawing: {
      tables: box(x - 34, back - 12, 68, 20) + (isShared ? box(x + 36, back - 12, 40, 20) : '') + shelf,
      lines: line(x - 11, back - 8, 22) + disc(x + 25, back - 4, 3),
      plants: isOwned ? plant(width - 22, height - 24, 9) : plant(20, height - 20, 8),
    },
    seats: [{ x, y: y + 6 }, ...(isShared ? [{ x: x + 54, y: y + 6 }] : [])],
    screen: { x, y: back - 4 },
    face,
  }
}
