import type { Room } from '@atrium/client/rooms'
import { useRooms } from '@atrium/react'
import { useEffect, useRef } from 'react'
import { fillingPlan, type OfficePlan } from '../plan/office-plan.ts'
import { type PlacedRoom, withPlots } from '../plan/plots.ts'
import { isOnPlan } from '../state/floor-state.ts'
import type { WindowSize } from './use-window-size.ts'

/** Below this width the building is folded. */
const FOLDED_BELOW = 720
/** A narrow window that is low as well is one that was made larger to read: there the list reads better. */
const LIST_BELOW = 480
const ROOMS_MOST = 60
/** A plan is seen at a glance, or nearly. */
const WINDOWS_MOST = 3
/** What stands above and below the plan. */
const AROUND = 80

/** The plan for the window; undefined where a list says more. */
export function useOfficePlan(ownId: string, size: WindowSize | undefined): OfficePlan | undefined {
  const kept = useRef<OfficePlan | undefined>(undefined)
  const placed = usePlacedRooms(ownId)
  const plan = size && placed.length <= ROOMS_MOST ? planIn(placed, size, kept.current) : undefined
  useEffect(() => {
    kept.current = plan
  })
  return plan
}

/** The same rooms as long as they have the same places: who is inside makes no other plan. */
function usePlacedRooms(ownId: string): readonly PlacedRoom[] {
  const kept = useRef<{ key: string; rooms: readonly Room[] }>({ key: '', rooms: [] })
  return useRooms(({ rooms: all }) => {
    const rooms = all.filter((room) => isOnPlan(room, ownId))
    const key = rooms.map(({ id, kind, seats, position }) => [id, kind, seats, position].join()).join(';')
    if (kept.current.key !== key) kept.current = { key, rooms }
    return kept.current.rooms
  })
}

function planIn(
  rooms: readonly PlacedRoom[],
  { width, height, isChanging }: WindowSize,
  before: OfficePlan | undefined,
): OfficePlan | undefined {
  const isFolded = width < FOLDED_BELOW
  if (isFolded && height < LIST_BELOW) return undefined
  const keptRows = isChanging ? before?.building.rows : undefined
  const plan = fillingPlan(withPlots(rooms), {
    ...{ width, height: height - AROUND, isFolded },
    ...(keptRows ? { keptRows } : {}),
  })
  return isFolded || plan.building.height <= height * WINDOWS_MOST ? plan : undefined
}
