import type { Building, Cell } from './building.ts'

/** Path data of what stands still: it changes with rooms and the window, and with nothing else. */
export interface Walls {
  inner: string
  /** Around the building, open at the entrance on the left. */
  outer: string
  /** Jambs of the entrance. */
  entrance: string
  windows: string
  /** Around places where a room could be built. */
  plots: string
}

/** Half of the entrance. */
const ENTRANCE = 34
const WINDOW_EVERY = 150
const WINDOW_MOST = 64

export function wallsOf({ width, height, cells, atrium }: Building): Walls {
  const segments = new Set<string>()
  const segment = (x1: number, y1: number, x2: number, y2: number) => {
    if (x1 !== x2 || y1 !== y2) segments.add(`M${x1} ${y1}${x1 === x2 ? `v${y2 - y1}` : `h${x2 - x1}`}`)
  }
  const built = cells.filter(({ room }) => !room.isPlot)
  for (const cell of built) for (const piece of wallsOfCell(cell)) segment(...piece)
  const [above, below] = [atrium.y + atrium.height / 2 - ENTRANCE, atrium.y + atrium.height / 2 + ENTRANCE]
  return {
    inner: [...segments].join(''),
    outer: `M0 ${above}V0H${width}V${height}H0V${below}`,
    entrance: `M-4 ${above}h10M-4 ${below}h10`,
    windows: built
      .filter(({ hasWindows }) => hasWindows)
      .map(windowsOf)
      .join(''),
    plots: cells
      .filter(({ room }) => room.isPlot)
      .map(({ x, y, width: w, height: h }) => `M${x} ${y}h${w}v${h}h${-w}Z`)
      .join(''),
  }
}

type Segment = [x1: number, y1: number, x2: number, y2: number]

/** All four, with a gap where the door is. */
function wallsOfCell({ x, y, width, height, side, door }: Cell): Segment[] {
  const [right, bottom] = [x + width, y + height]
  const [from, to] = [door.at - door.width / 2, door.at + door.width / 2]
  if (side === 'left' || side === 'right') {
    const [front, back] = side === 'right' ? [right, x] : [x, right]
    return [
      [x, y, right, y],
      [x, bottom, right, bottom],
      [back, y, back, bottom],
      [front, y, front, y + from],
      [front, y + to, front, bottom],
    ]
  }
  const [front, back] = side === 'down' ? [bottom, y] : [y, bottom]
  return [
    [x, y, x, bottom],
    [right, y, right, bottom],
    [x, back, right, back],
    [x, front, x + from, front],
    [x + to, front, right, front],
  ]
}

function windowsOf({ x, y, width, height, side }: Cell): string {
  const count = Math.max(1, Math.floor(width / WINDOW_EVERY))
  const length = Math.min(WINDOW_MOST, (width / count) * 0.56)
  const wall = side === 'down' ? y : y + height
  return Array.from({ length: count }, (_, at) => x + (width * (at + 0.5)) / count)
    .map((middle) => {
      const [from, to] = [Math.round(middle - length / 2), Math.round(middle + length / 2)]
      return `M${from} ${wall}h${to - from}`
    })
    .join('')
}
