import type { Room } from '@atrium/client/rooms'
import { useRef } from 'react'
import { planOf } from '../../floor/plan/office-plan.ts'
import { withPlots } from '../../floor/plan/plots.ts'
import { length, lengths, pixelsOfUnit } from '../../floor/plan-view/lengths.ts'
import { RoomDrawing } from '../../floor/plan-view/room-drawing.tsx'
import { WallsDrawing } from '../../floor/plan-view/walls-drawing.tsx'
import { useSize } from '../../ui/use-size.ts'
import '../../floor/plan-view/plan.css'
import '../../floor/plan-view/room.css'

/** A window of a usual size, made small. */
const WINDOW = { width: 1_168, height: 720 }

/** The plan as colleagues see it, without them. Says nothing to a screen reader: the list beside it has the same order. */
export function PlanPicture({ rooms }: { rooms: readonly Room[] }) {
  const frame = useRef<HTMLDivElement>(null)
  const { width } = useSize(frame)
  const { building, furniture, walls, atrium } = planOf(withPlots(rooms), WINDOW)
  const scale = width / pixelsOfUnit() / building.width
  return (
    <div
      ref={frame}
      className="plan-picture"
      aria-hidden="true"
      style={{ height: length(building.height * scale) }}
    >
      <div
        className="plan"
        style={{
          ...lengths({ 'plan-width': building.width, 'plan-height': building.height }),
          scale: `${scale}`,
        }}
      >
        {building.halls.map((hall) => (
          <div
            key={`${hall.x} ${hall.y}`}
            className={`hall hall-${hall.kind}`}
            style={lengths({ x: hall.x, y: hall.y, width: hall.width, height: hall.height })}
          />
        ))}
        {building.cells.map((cell) => {
          const drawn = furniture.get(cell.room.id)
          const name = rooms.find(({ id }) => id === cell.room.id)?.name
          const { x, y, width: wide, height } = cell
          return (
            <div
              key={cell.room.id}
              className={cell.room.isPlot ? 'room plot' : `room room-${cell.room.kind}`}
              style={lengths({ x, y, width: wide, height })}
            >
              {drawn && <RoomDrawing cell={cell} furniture={drawn} />}
              {name !== undefined && <strong>{name}</strong>}
            </div>
          )
        })}
        <WallsDrawing {...{ building, furniture, walls, atrium }} />
      </div>
    </div>
  )
}
