import { type Atrium, atriumOf } from './atrium.ts'
import { type Building, buildingOf } from './building.ts'
import { foldedBuilding } from './folded.ts'
import { type Furniture, furnish } from './furniture/furnish.ts'
import { furnishFolded } from './furniture/furnish-folded.ts'
import type { PlanRoom } from './plan-room.ts'
import { type Walls, wallsOf } from './walls.ts'

export interface OfficePlan {
  building: Building
  walls: Walls
  /** By the id of the room. */
  furniture: ReadonlyMap<string, Furniture>
  /** Undefined: the building is folded, and its atrium is a list. */
  atrium: Atrium | undefined
  /** How large it is drawn. */
  zoom: number
}

export interface PlanSize {
  width: number
  height: number
  /** For a narrow window. */
  isFolded?: boolean
  /** Of the plan before, while a window is dragged. */
  keptRows?: number
  zoom?: number
}

/** Sizes count in these steps: a window that is dragged is not planned anew at every pixel. */
const STEP = 8
/** A few windows' worth; the oldest goes first. */
const KEPT = 8
const kept = new Map<string, OfficePlan>()

/** Rooms have a height at most: in a window that they would leave empty below they are drawn so much larger. */
const LARGER = 1.25

/** The plan that leaves little of a large window empty. */
export function fillingPlan(rooms: readonly PlanRoom[], size: PlanSize): OfficePlan {
  const plan = planOf(rooms, size)
  const fits = ({ building }: OfficePlan) => building.height * LARGER <= size.height
  if (size.isFolded || !fits(plan)) return plan
  const larger = planOf(rooms, { ...size, zoom: LARGER })
  return fits(larger) ? larger : plan
}

/** The plan of an office: the same one for the same rooms in the same window. */
export function planOf(rooms: readonly PlanRoom[], size: PlanSize): OfficePlan {
  const { zoom = 1 } = size
  const inSteps = (length: number) => Math.floor(length / zoom / STEP) * STEP
  const [width, height] = [inSteps(size.width), inSteps(size.height)]
  const key = JSON.stringify([
    ...[zoom, width, size.isFolded ? 'folded' : height, size.isFolded ? 0 : size.keptRows],
    rooms.map(({ id, kind, seats, isPlot, number }) => [id, kind, seats, isPlot, number]),
  ])
  const known = kept.get(key)
  if (known) return known
  const plan = newPlan(rooms, { ...size, width, height, zoom })
  kept.set(key, plan)
  if (kept.size > KEPT) kept.delete(kept.keys().next().value ?? '')
  return plan
}

function newPlan(rooms: readonly PlanRoom[], size: PlanSize & { zoom: number }): OfficePlan {
  const building = size.isFolded ? foldedBuilding(rooms, size.width) : buildingOf(rooms, size)
  const furnishing = size.isFolded ? furnishFolded : furnish
  return {
    zoom: size.zoom,
    building,
    walls: wallsOf(building),
    furniture: new Map(building.cells.map((cell) => [cell.room.id, furnishing(cell)])),
    atrium: size.isFolded ? undefined : atriumOf(building.atrium),
  }
}
