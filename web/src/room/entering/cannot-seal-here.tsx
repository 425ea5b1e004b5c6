import { useRoomWords } from '../../words/room.ts'
import { RoomInstead } from '../room-end.tsx'

/** Before a sealed room, in a browser that cannot encrypt. */
export function CannotSealHere() {
  const { cannotSeal: words } = useRoomWords()
  return <RoomInstead title={words.title} about={words.about} />
}
