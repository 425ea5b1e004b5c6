export interface Size {
  width: number
  height: number
}

/** Where a picture stands in the film, in pixels. */
export interface Place extends Size {
  x: number
  y: number
}

export const FILM: Size = { width: 1_280, height: 720 }
/** Of a shared screen; beside it the others stand in a column. */
const SCREEN_WIDTH = 1_024

/**
 * Where each of the pictures stands: in rows of one length as far as they go, or, where a screen is shared, below one another beside
 * the latest screen. Each keeps its form.
 */
export function placesOf(pictures: readonly { isScreen: boolean; size: Size }[]): Place[] {
  const screen = pictures.findLastIndex(({ isScreen }) => isScreen)
  const cells = screen < 0 ? rowsOf(pictures.length) : besideScreen(pictures.length, screen)
  return pictures.map(({ size }, index) => fitted(size, cells[index] as Place))
}

function rowsOf(count: number): Place[] {
  const columns = Math.ceil(Math.sqrt(count))
  const rows = Math.ceil(count / columns)
  const [width, height] = [FILM.width / columns, FILM.height / rows]
  return Array.from({ length: count }, (_, index) => {
    const row = Math.floor(index / columns)
    const inRow = Math.min(columns, count - row * columns)
    const x = (FILM.width - inRow * width) / 2 + (index % columns) * width
    return { x, y: row * height, width, height }
  })
}

function besideScreen(count: number, screen: number): Place[] {
  if (count === 1) return [{ x: 0, y: 0, ...FILM }]
  const width = FILM.width - SCREEN_WIDTH
  const height = Math.min((width * FILM.height) / FILM.width, FILM.height / (count - 1))
  const top = (FILM.height - height * (count - 1)) / 2
  return Array.from({ length: count }, (_, index) => {
    if (index === screen) return { x: 0, y: 0, width: SCREEN_WIDTH, height: FILM.height }
    return { x: SCREEN_WIDTH, y: top + (index - (index > screen ? 1 : 0)) * height, width, height }
  })
}

/** The largest of its form within a cell, in even numbers: colours are of two pixels each. */
function fitted(size: Size, cell: Place): Place {
  const scale = Math.min(cell.width / size.width, cell.height / size.height)
  const [width, height] = [even(size.width * scale), even(size.height * scale)]
  return {
    ...{ width, height },
    x: 2 * Math.floor((cell.x + (cell.width - width) / 2) / 2),
    y: 2 * Math.floor((cell.y + (cell.height - height) / 2) / 2),
  }
}

function even(length: number): number {
  return Math.max(2, 2 * Math.floor(length / 2))
}
