import type { Person } from '@atrium/client/people'
import type { Room } from '@atrium/client/rooms'
import { useOffice } from '@atrium/react'
import { useMemo } from 'react'

/** People and rooms as they are at the moment of an event or a press: what only looks one up is not drawn again when others change. */
export interface Known {
  person(userId: string): Person | undefined
  room(roomId: string | undefined): Room | undefined
  rooms(): readonly Room[]
}

export function useKnown(): Known {
  const office = useOffice()
  return useMemo(() => {
    const present = () => office.get().present
    return {
      person: (userId) => present()?.people.person(userId),
      room: (roomId) => (roomId === undefined ? undefined : present()?.rooms.room(roomId)),
      rooms: () => present()?.rooms.get().rooms ?? [],
    }
  }, [office])
}
