import { useRef } from 'react'
import { planOf } from '../floor/plan/office-plan.ts'
import { withPlots } from '../floor/plan/plots.ts'
import { PlanPicture } from '../floor/plan-picture/plan-picture.tsx'
import { pixelsOfUnit } from '../floor/plan-view/lengths.ts'
import { useSize } from '../ui/use-size.ts'
import { useFirstRunWords } from '../words/first-run.ts'
import { type FirstKind, firstRooms } from './first-rooms.ts'
import type { OwnFace } from './own-face.ts'

/** A little smaller than the floor, so that it is seen as a whole. */
const SCALE = 0.8
const AROUND = 64
const HEIGHT_MOST = 640

interface GrowingPlanProps {
  chosen: readonly FirstKind[]
  face: OwnFace
}

/** The floor as it will be, with the person at the own desk, or in the atrium: rooms that are chosen are built where free plots were. */
export function GrowingPlan({ chosen, face }: GrowingPlanProps) {
  const words = useFirstRunWords()
  const view = useRef<HTMLDivElement>(null)
  const size = useSize(view)
  const unit = pixelsOfUnit() * SCALE
  const width = (size.width - AROUND) / unit
  const height = Math.min(HEIGHT_MOST, (size.height - AROUND) / unit)
  const own = { ...face, name: words.you, isOwn: true }
  const place = chosen.includes('desk') ? { inside: { desk: [own] } } : { inAtrium: [own] }
  const plan = size.width > 0 && planOf(withPlots(firstRooms(chosen)), { width, height })
  return (
    <div ref={view} className="growing-plan">
      {plan && (
        <PlanPicture
          plan={plan}
          nameOf={(room) => (room.id === 'desk' ? face.name : words.rooms[room.kind].name)}
          {...place}
        />
      )}
    </div>
  )
}
