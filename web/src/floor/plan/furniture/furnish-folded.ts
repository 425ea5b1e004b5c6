import type { Cell } from '../building.ts'
import { FOLDED_FACE, FOLDED_ROW, FOLDED_TOP, foldedAcross, foldedRows } from '../folded.ts'
import { box } from '../shapes.ts'
import type { Drawing, Point } from './drawing.ts'
import type { Furniture } from './furnish.ts'

/** A hint of the furniture, and seats in a grid: a narrow window has no place for more. */
export function furnishFolded({ room, width, height }: Pick<Cell, 'room' | 'width' | 'height'>): Furniture {
  const across = foldedAcross(room)
  const at = Array.from({ length: across * foldedRows(room) }, (_, seat) => ({
    x: 7 + ((width - 14) / across) * ((seat % across) + 0.5),
    y: FOLDED_TOP + FOLDED_FACE / 2 + FOLDED_ROW * Math.floor(seat / across),
  }))
  return {
    drawing: { rug: '', tables: '', lines: '', rows: '', plants: '', ...drawn(room.kind, width, height, at) },
    chairs: '',
    screen: { x: width - 26, y: height - 18 },
    seats: [{ at, face: FOLDED_FACE, width }],
  }
}

function drawn(
  kind: Cell['room']['kind'],
  width: number,
  height: number,
  seats: readonly Point[],
): Partial<Drawing> {
  const top = FOLDED_TOP
  switch (kind) {
    case 'meeting':
    case 'kitchen':
      return { tables: box(14, top + 20, width - 28, height - top - 44, 16) }
    case 'lounge':
      return {
        tables: box(10, top, width - 20, 20, 8),
        rug: box(26, top + 30, width - 52, height - top - 46, 18),
      }
    case 'stage':
      return { tables: `M24 ${top}h${width - 48}v14q-${width / 2 - 24} 20-${width - 48} 0Z` }
    default:
      return { tables: seats.map(({ x, y }) => box(x - 18, y - FOLDED_FACE / 2 - 6, 36, 15)).join('') }
  }
}
