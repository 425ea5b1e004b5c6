export interface Box {
  width: number
  height: number
}

/** Tiles of one size, beside and below each other. */
export interface TileGrid extends Box {
  columns: number
}

const RATIO = 16 / 9

/**
 * As large as so many tiles of 16:9 can be in a box, in pixels; of two ways alike the one with fewer columns. None is
 * narrower than asked: then they are as many beside each other as fit, and go on below the box.
 */
export function tileGrid(
  count: number,
  box: Box,
  { gap, narrowest }: { gap: number; narrowest: number },
): TileGrid {
  let best: TileGrid = { columns: 1, width: 0, height: 0 }
  for (let columns = 1; columns <= Math.max(1, count); columns += 1) {
    const width = Math.min(
      shareOf(box.width, columns, gap),
      shareOf(box.height, Math.ceil(count / columns), gap) * RATIO,
    )
    if (width > best.width) best = { columns, width, height: width / RATIO }
  }
  if (best.width >= Math.min(narrowest, box.width)) return best
  const columns = Math.max(1, Math.floor((box.width + gap) / (narrowest + gap)))
  const width = shareOf(box.width, columns, gap)
  return { columns, width, height: width / RATIO }
}

function shareOf(length: number, parts: number, gap: number): number {
  return Math.max(0, (length - (parts - 1) * gap) / parts)
}

/** The largest place for a picture of a shape in a box. */
export function placeFor(ratio: number, box: Box): Box {
  const width = Math.min(box.width, box.height * ratio)
  return { width, height: width / ratio }
}
