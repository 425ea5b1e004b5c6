import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { useFloorWords } from '../../words/floor.ts'
import type { OfficePlan } from '../plan/office-plan.ts'
import type { Floor } from '../state/floor-store.ts'
import { useOnFloor } from '../state/use-floor.ts'
import { BelowFold } from './around/below-fold.tsx'
import { AtriumOnPlan } from './atrium-on-plan.tsx'
import { HallDrawing } from './hall-drawing.tsx'
import { lengths } from './lengths.ts'
import { PlotOnPlan } from './plot-on-plan.tsx'
import { RoomOnPlan } from './room-on-plan.tsx'
import { type PlanActions, usePlanEvents } from './use-plan-events.ts'
import { WallsDrawing } from './walls-drawing.tsx'
import './plan.css'
import './room.css'
import './face.css'

export interface PlanViewProps {
  plan: OfficePlan
  floor: Floor
  actions: PlanActions
  /** The person is the only member of the organization. */
  isAlone: boolean
  /** What stands above the plan, at places of it. */
  children?: ReactNode
}

/** The office as a plan: rooms where they always are, and everybody at a seat. */
export function PlanView({ plan, floor, actions, isAlone, children }: PlanViewProps) {
  const words = useFloorWords()
  const root = useRef<HTMLDivElement>(null)
  usePlanEvents(root, actions)
  useRush(root, floor)
  const { width, height, cells, halls, rows } = plan.building
  const { zoom } = plan
  return (
    <section aria-labelledby="plan-title" aria-describedby="plan-summary">
      <h2 id="plan-title" className="visually-hidden">
        {words.planTitle}
      </h2>
      <Summary rooms={cells.filter(({ room }) => !room.isPlot).length} />
      <div
        ref={root}
        className={rows === 0 ? 'plan plan-folded' : 'plan'}
        style={{ ...lengths({ 'plan-width': width, 'plan-height': height }), zoom }}
      >
        {halls.map((hall) => (
          <HallDrawing key={`${hall.x} ${hall.y}`} hall={hall} />
        ))}
        <ul className="plan-rooms">
          {cells.map((cell) => {
            const furniture = plan.furniture.get(cell.room.id)
            const Place = cell.room.isPlot ? PlotOnPlan : RoomOnPlan
            return (
              furniture && (
                <li key={cell.room.id}>
                  <Place cell={cell} furniture={furniture} />
                </li>
              )
            )
          })}
        </ul>
        <WallsDrawing {...plan} />
        <AtriumOnPlan {...plan} isAlone={isAlone} />
        {rows === 0 && <BelowFold plan={root} building={plan.building} />}
        {children}
      </div>
    </section>
  )
}

function Summary({ rooms }: { rooms: number }) {
  const words = useFloorWords()
  const around = useOnFloor(({ counts }) => counts.in)
  return (
    <p id="plan-summary" className="visually-hidden">
      {words.summary(rooms, around)}. {words.keys}
    </p>
  )
}

/** So many halos move at once, at most. */
const HALOS_MOST = 12

/** Where many people move at once, they jump; where many speak, their rings stand still. */
function useRush(root: RefObject<HTMLElement | null>, floor: Floor): void {
  useEffect(() => {
    const look = () => {
      const { rooms, tables } = floor.get()
      const speakers = [...rooms, ...tables].flatMap(({ people }) => people.filter((one) => one.isSpeaking))
      root.current?.toggleAttribute('data-rushed', floor.isRushed())
      root.current?.toggleAttribute('data-lively', speakers.length > HALOS_MOST)
    }
    look()
    return floor.subscribe(look)
  }, [root, floor])
}
