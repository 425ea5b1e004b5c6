import { memo } from 'react'
import type { Cell } from '../plan/building.ts'
import type { Furniture } from '../plan/furniture/furnish.ts'

/** Furniture, door and the light that falls through it: nothing of it changes but by the look of the room. */
export const RoomDrawing = memo(function RoomDrawing({
  cell,
  furniture,
}: {
  cell: Cell
  furniture: Furniture
}) {
  const { width, height, side, hasWindows } = cell
  const { drawing, chairs } = furniture
  const door = doorOf(cell)
  return (
    <svg className="drawing" viewBox={`0 0 ${width} ${height}`} aria-hidden="true" focusable="false">
      {hasWindows && side === 'down' && (
        <path className="drawing-beam" d={beam(width, height)} fill="url(#daylight)" />
      )}
      {drawing.rug && <path className="drawing-rug" d={drawing.rug} />}
      {drawing.tables && <path className="drawing-tables" d={drawing.tables} />}
      {drawing.lines && <path d={drawing.lines} />}
      {drawing.rows && <path className="drawing-rows" d={drawing.rows} />}
      {drawing.plants && <path className="drawing-plants" d={drawing.plants} />}
      {chairs && <path className="drawing-chairs" d={chairs} />}
      <path className="door-light" d={door.light} fill={`url(#light-${side})`} />
      <path className="door-open" d={door.open} />
      <path className="door-closed" d={door.closed} />
    </svg>
  )
})

/** Daylight from a window in the upper wall. */
function beam(width: number, height: number): string {
  const at = (part: number) => Math.round(width * part)
  return `M${at(0.25)} 0H${at(0.64)}L${at(0.94)} ${Math.round(height * 0.72)}H${at(0.48)}Z`
}

/** As far as the light falls into the hall. */
const LIGHT = 44
/** A leaf is a little shorter than its door. */
const LEAF_LESS = 8

function doorOf({ width, height, side, door }: Cell): { open: string; closed: string; light: string } {
  const [from, to] = [door.at - door.width / 2, door.at + door.width / 2]
  if (side === 'left' || side === 'right') {
    const [x, out] = side === 'right' ? [width, 1] : [0, -1]
    return {
      open: `M${x} ${from}h${out * 9}`,
      closed: `M${x} ${from}V${to}`,
      light: `M${x} ${from + 2}L${x + out * 14} ${from - 7}V${to + 9}L${x} ${to - 2}Z`,
    }
  }
  const [y, out] = side === 'down' ? [height, 1] : [0, -1]
  const leaf = door.width - LEAF_LESS
  return {
    open: `M${to} ${y}v${out * leaf}A${leaf} ${leaf} 0 0 ${out > 0 ? 1 : 0} ${from + LEAF_LESS} ${y}`,
    closed: `M${from} ${y}H${to}`,
    light: `M${from + 2} ${y}L${from - 16} ${y + out * LIGHT}H${to + 16}L${to - 2} ${y}Z`,
  }
}
