import { useOffice } from '@atrium/react'
import { createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import { atDoors } from '../../live/doors/at-doors.ts'
import { useStore } from '../../live/use-session.ts'
import { EMPTY_FLOOR, type FloorState } from './floor-state.ts'
import { createFloor, type Floor } from './floor-store.ts'

export const FloorContext = createContext<Floor | undefined>(undefined)

/** The floor of the office that one is connected to; undefined while there is no connection. */
export function useNewFloor(ownId: string): Floor | undefined {
  const { present } = useStore(useOffice())
  const [floor, setFloor] = useState<Floor>()
  useEffect(() => {
    if (!present) return undefined
    const opened = createFloor({ people: present.people, rooms: present.rooms, atDoors, ownId })
    setFloor(opened)
    return () => {
      opened.close()
      setFloor(undefined)
    }
  }, [present, ownId])
  return floor
}

/** A part of what is on the floor: renders again when that part is another, and not when something else is. */
export function useOnFloor<Part>(select: (state: FloorState) => Part): Part {
  const floor = useContext(FloorContext)
  const get = () => select(floor?.get() ?? EMPTY_FLOOR)
  return useSyncExternalStore(floor?.subscribe ?? never, get)
}

const never = () => () => {}
