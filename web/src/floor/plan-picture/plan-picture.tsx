import { Icon } from '../../ui/icon.tsx'
import type { OfficePlan } from '../plan/office-plan.ts'
import type { PlanRoom } from '../plan/plan-room.ts'
import { AtriumDrawing } from '../plan-view/atrium-drawing.tsx'
import { HallDrawing } from '../plan-view/hall-drawing.tsx'
import { lengths } from '../plan-view/lengths.ts'
import { WallsDrawing } from '../plan-view/walls-drawing.tsx'
import { RoomPicture } from './room-picture.tsx'
import { SeatedFaces, type SeatedPerson } from './seated-faces.tsx'
import '../plan-view/plan.css'
import '../plan-view/room.css'
import '../plan-view/face.css'
import './plan-picture.css'

export interface PlanPictureProps {
  plan: OfficePlan
  /** Undefined: its name is not shown. */
  nameOf(room: PlanRoom): string | undefined
  /** By the id of the room. */
  inside?: Readonly<Record<string, readonly SeatedPerson[]>>
  inAtrium?: readonly SeatedPerson[]
}

const NO_PEOPLE: readonly SeatedPerson[] = []

/** A plan to be looked at: it carries no buttons, and says nothing to a screen reader. */
export function PlanPicture({ plan, nameOf, inside = {}, inAtrium = NO_PEOPLE }: PlanPictureProps) {
  const { building, furniture, atrium } = plan
  const { width, height, cells, halls } = building
  const seats = atrium?.zones.find(({ key }) => key === 'atrium')?.seats[0]
  return (
    <div
      className="plan plan-picture"
      style={lengths({ 'plan-width': width, 'plan-height': height })}
      aria-hidden="true"
    >
      {halls.map((hall) => (
        <HallDrawing key={`${hall.x} ${hall.y}`} hall={hall} />
      ))}
      {cells.map((cell) => {
        const furnished = furniture.get(cell.room.id)
        const name = nameOf(cell.room)
        if (!furnished) return null
        return (
          <RoomPicture
            key={cell.room.id}
            cell={cell}
            furniture={furnished}
            people={inside[cell.room.id] ?? NO_PEOPLE}
          >
            {name !== undefined && (cell.room.isPlot ? <PlotName name={name} /> : <h3>{name}</h3>)}
          </RoomPicture>
        )
      })}
      <WallsDrawing {...plan} />
      {atrium && seats && (
        <div className="atrium" style={lengths({ ...placeOf(building.atrium), face: seats.face })}>
          <AtriumDrawing {...building.atrium} drawing={{ ...atrium.drawing, rug: '' }} isAlone={false} />
          <SeatedFaces people={inAtrium} seats={seats} />
        </div>
      )}
    </div>
  )
}

function placeOf({ x, y, width, height }: { x: number; y: number; width: number; height: number }) {
  return { x, y, width, height }
}

/** A place where a room could be built. */
function PlotName({ name }: { name: string }) {
  return (
    <span className="plot-button">
      <span className="plot-sign">
        <Icon name="plus" />
      </span>
      <strong>{name}</strong>
    </span>
  )
}
