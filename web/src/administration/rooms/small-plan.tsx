import type { Room } from '@atrium/client/rooms'
import { useRef } from 'react'
import { planOf } from '../../floor/plan/office-plan.ts'
import { withPlots } from '../../floor/plan/plots.ts'
import { PlanPicture } from '../../floor/plan-picture/plan-picture.tsx'
import { length, pixelsOfUnit } from '../../floor/plan-view/lengths.ts'
import { useSize } from '../../ui/use-size.ts'

/** A window of a usual size, made small. */
const WINDOW = { width: 1_168, height: 720 }

/** The plan as colleagues see it, without them: the list beside it has the same order. */
export function SmallPlan({ rooms }: { rooms: readonly Room[] }) {
  const frame = useRef<HTMLDivElement>(null)
  const { width } = useSize(frame)
  const plan = planOf(withPlots(rooms), WINDOW)
  const scale = width / pixelsOfUnit() / plan.building.width
  return (
    <div ref={frame} className="small-plan" style={{ height: length(plan.building.height * scale) }}>
      <div style={{ scale: `${scale}` }}>
        <PlanPicture plan={plan} nameOf={({ id }) => rooms.find((room) => room.id === id)?.name} />
      </div>
    </div>
  )
}
