import { isSmall, type PlanRoom, wishWidth } from './plan-room.ts'

/** One room from the hall to the wall behind, or two small ones: the first at the hall, the second behind it. */
export interface Column {
  rooms: readonly [PlanRoom] | readonly [PlanRoom, PlanRoom]
  wish: number
}

export interface Rows {
  rows: readonly (readonly Column[])[]
  /** Of each row. */
  height: number
  /** The wishes of the widest row, with its passage. */
  widest: number
}

const PAIR_WIDTH = 190
export const CORRIDOR = 46
/** What a row inside the building gives up at its right end, as a way to the atrium. */
export const PASSAGE = 46
const ROW_HEIGHT = { least: 208, most: 350 }
/** Width to height of a room that looks well. */
const SHAPE = 1.12
/** Rooms narrower than this part of their wish have no place for their furniture. */
const SCALE_LEAST = 0.86
/** What another number of rows has to gain before the building changes while its window is resized. */
const WORTH_A_CHANGE = 0.15

export function columnsOf(rooms: readonly PlanRoom[]): Column[] {
  const columns: Column[] = []
  for (let at = 0; at < rooms.length; at += 1) {
    const [room, next] = [rooms[at] as PlanRoom, rooms[at + 1]]
    if (next && isSmall(room) && isSmall(next)) {
      columns.push({ rooms: [room, next], wish: PAIR_WIDTH })
      at += 1
    } else columns.push({ rooms: [room], wish: wishWidth(room) })
  }
  return columns
}

/** How the columns stand in rows: as many rows as give rooms of a good shape that fit the window. */
export function rowsOf(
  columns: readonly Column[],
  { width, height, atrium, keptRows }: { width: number; height: number; atrium: number; keptRows?: number },
): Rows {
  const cuts = evenCuts(columns.map(({ wish }) => wish))
  const candidates = Array.from({ length: columns.length }, (_, at) => at + 1)
    .slice(columns.length > 1 ? 1 : 0)
    .map((count) => {
      const rows = cutInto(columns, cuts, count)
      const passage = count > 2 ? PASSAGE : 0
      const widest = Math.max(...rows.map(wishOf)) + passage
      const corridors = CORRIDOR * Math.max(0, count - 2)
      const rowHeight = clamp(
        ROW_HEIGHT.least,
        Math.round((height - atrium - corridors) / count),
        ROW_HEIGHT.most,
      )
      const overflow = Math.max(0, (rowHeight * count + atrium + corridors) / height - 1)
      const scale = (width - passage) / (widest - passage)
      const shape = Math.abs(Math.log(width / (columns.length / count) / rowHeight / SHAPE))
      const cost = shape + 2 * overflow + 60 * Math.max(0, SCALE_LEAST - scale)
      return { rows, height: rowHeight, widest, cost }
    })
  const best = candidates.reduce((least, one) => (one.cost < least.cost - 1e-9 ? one : least))
  const kept = candidates.find(({ rows }) => rows.length === keptRows)
  return kept && best.cost > kept.cost * (1 - WORTH_A_CHANGE) ? kept : best
}

/**
 * Where runs of the sequence begin, for every number of runs: the squares of their sums are the least possible, which is
 * the least squared deviation from the mean too. Of two cuts as good the earlier one. @returns by count and end: the begin
 */
function evenCuts(wishes: readonly number[]): number[][] {
  const sums = [0]
  for (const wish of wishes) sums.push((sums.at(-1) ?? 0) + wish)
  const sum = (from: number, to: number) => (sums[to] ?? 0) - (sums[from] ?? 0)
  let before = [0, ...wishes.map(() => Number.POSITIVE_INFINITY)]
  const cuts: number[][] = [[]]
  for (let count = 1; count <= wishes.length; count += 1) {
    const least = before.map(() => Number.POSITIVE_INFINITY)
    const begins = before.map(() => 0)
    for (let end = count; end <= wishes.length; end += 1)
      for (let begin = count - 1; begin < end; begin += 1) {
        const squares = (before[begin] ?? 0) + sum(begin, end) ** 2
        if (squares >= (least[end] ?? 0)) continue
        least[end] = squares
        begins[end] = begin
      }
    cuts.push(begins)
    before = least
  }
  return cuts
}

function cutInto(columns: readonly Column[], cuts: number[][], count: number): (readonly Column[])[] {
  const rows: (readonly Column[])[] = []
  let end = columns.length
  for (let left = count; left > 0; left -= 1) {
    const begin = cuts[left]?.[end] ?? 0
    rows.unshift(columns.slice(begin, end))
    end = begin
  }
  return rows
}

export function wishOf(row: readonly Column[]): number {
  return row.reduce((sum, { wish }) => sum + wish, 0)
}

export function clamp(least: number, value: number, most: number): number {
  return Math.max(least, Math.min(value, most))
}
