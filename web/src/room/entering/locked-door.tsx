import type { Room } from '@atrium/client/rooms'
import { useEffect } from 'react'
import { standBefore } from '../../live/doors/knocking.ts'
import { useKnockAtRoom } from '../../shell/colleague/use-knock-at-room.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/state.tsx'
import { useLockedDoorWords } from '../../words/locked-door.ts'
import { RoomInstead } from '../room-end.tsx'

/** Before a room that is locked: those inside hear the knock. @param onLetIn told when the door may be open */
export function LockedDoor({ room, onLetIn }: { room: Room; onLetIn(): void }) {
  const words = useLockedDoorWords()
  const knock = useKnockAtRoom()
  useEffect(() => standBefore(room.id, onLetIn), [room.id, onLetIn])
  return (
    <RoomInstead title={words.title(room.name)} about={words.about}>
      <Problem>{knock.problem}</Problem>
      <Button look="primary" icon="knock" busy={knock.busy} onPress={() => void knock.run(room)}>
        {words.knock}
      </Button>
    </RoomInstead>
  )
}
