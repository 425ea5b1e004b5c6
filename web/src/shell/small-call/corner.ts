import type { Preferences } from '../../live/preferences.ts'

export type Corner = Preferences['smallCallCorner']

export const corners = ['top-left', 'top-right', 'bottom-left', 'bottom-right'] as const satisfies Corner[]

/** The one that a point of the window is nearest to. */
export function cornerAt(point: { x: number; y: number }, window: { width: number; height: number }): Corner {
  const across = point.x < window.width / 2 ? 'left' : 'right'
  return `${point.y < window.height / 2 ? 'top' : 'bottom'}-${across}`
}
