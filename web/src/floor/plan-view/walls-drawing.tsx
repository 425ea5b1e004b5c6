import { memo } from 'react'
import type { OfficePlan } from '../plan/office-plan.ts'

/** The outer wall is drawn around the building. */
const MARGIN = 8
const LIGHTS = {
  down: { x2: 0, y2: 1 },
  up: { y1: 1, x2: 0, y2: 0 },
  right: { x2: 1, y2: 0 },
  left: { x1: 1, x2: 0, y2: 0 },
}

/** Walls and windows: one drawing, which people do not change. */
export const WallsDrawing = memo(function WallsDrawing({ building, walls }: OfficePlan) {
  const { width, height } = building
  return (
    <svg
      className="walls"
      viewBox={`${-MARGIN} ${-MARGIN} ${width + 2 * MARGIN} ${height + 2 * MARGIN}`}
      aria-hidden="true"
      focusable="false"
    >
      <Lights />
      <path className="walls-inner" d={walls.inner} />
      <path className="walls-plots" d={walls.plots} />
      <path className="walls-outer" d={walls.outer} />
      <path className="walls-frame" d={walls.windows} />
      <path className="walls-glass" d={walls.windows} />
      <path className="walls-entrance" d={walls.entrance} />
    </svg>
  )
})

/** The light through doors and windows, which the drawings of rooms fill their paths with. */
export function Lights() {
  return (
    <defs>
      {Object.entries(LIGHTS).map(([side, direction]) => (
        <linearGradient key={side} id={`light-${side}`} {...direction}>
          <stop className="light-near" />
          <stop className="light-far" offset="1" />
        </linearGradient>
      ))}
      <linearGradient id="daylight" x2="0" y2="1">
        <stop className="daylight-near" />
        <stop className="daylight-far" offset="1" />
      </linearGradient>
    </defs>
  )
}
