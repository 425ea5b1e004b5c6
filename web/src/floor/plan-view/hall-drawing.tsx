import type { Hall } from '../plan/building.ts'
import { lengths } from './lengths.ts'

/** The floor of a part of the building that is no room. */
export function HallDrawing({ hall: { kind, x, y, width, height } }: { hall: Hall }) {
  return <div className={`hall hall-${kind}`} style={lengths({ x, y, width, height })} />
}
