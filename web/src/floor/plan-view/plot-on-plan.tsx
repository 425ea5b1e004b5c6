import { Icon } from '../../ui/icon.tsx'
import { useFloorWords } from '../../words/floor.ts'
import { lengths } from './lengths.ts'
import { RoomDrawing } from './room-drawing.tsx'
import type { RoomOnPlanProps } from './room-on-plan.tsx'

/** Where a room could be built: a press asks what it is called. */
export function PlotOnPlan({ cell, furniture }: RoomOnPlanProps) {
  const words = useFloorWords()
  const { room, x, y, width, height } = cell
  const { name, about } = words.plots[room.kind]
  const { number = 1 } = room
  return (
    <div className="room plot" style={lengths({ x, y, width, height })}>
      <RoomDrawing cell={cell} furniture={furniture} />
      <button type="button" className="plot-button" data-place={room.id} data-plot={room.id} tabIndex={-1}>
        <span className="plot-sign">
          <Icon name="plus" />
        </span>
        <strong>
          <span className="visually-hidden">{words.build}</span> {number === 1 ? name : `${name} ${number}`}
        </strong>{' '}
        <span className="plot-about">{about}</span>
      </button>
    </div>
  )
}
