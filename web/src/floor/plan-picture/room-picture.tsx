import type { ReactNode } from 'react'
import { classNames } from '../../ui/class-names.ts'
import type { Cell } from '../plan/building.ts'
import { type Furniture, seatsFor } from '../plan/furniture/furnish.ts'
import { lengths } from '../plan-view/lengths.ts'
import { RoomDrawing } from '../plan-view/room-drawing.tsx'
import { SeatedFaces, type SeatedPerson } from './seated-faces.tsx'

export interface RoomPictureProps {
  cell: Cell
  furniture: Furniture
  people: readonly SeatedPerson[]
  /** Its name. */
  children: ReactNode
}

/** A room at its place, lit where people are inside. */
export function RoomPicture({ cell, furniture, people, children }: RoomPictureProps) {
  const { room, x, y, width, height } = cell
  const seats = seatsFor(furniture, people.length)
  return (
    <div
      className={classNames(
        'room',
        `room-${room.kind}`,
        room.isPlot && 'plot',
        people.length > 0 && 'room-lit',
      )}
      style={lengths({ x, y, width, height, face: seats.face })}
    >
      <RoomDrawing cell={cell} furniture={furniture} />
      {children}
      <SeatedFaces people={people} seats={seats} />
    </div>
  )
}
