import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { pagePaths } from '../../page-paths.ts'
import type { CallEnd } from '../media/call/call-end.ts'
import { justLeft } from '../media/just-left.ts'
import { Button } from '../ui/button.tsx'
import { notices } from '../ui/overlays/notices.ts'
import { PageHeading } from '../ui/page-heading.tsx'
import { useRoomWords } from '../words/room.ts'

const LAST_WORD_SECONDS = 10
const LAST_WORD = 'left-room'

/** Before a room, where microphone and camera open again, the last word about the one before does not hold any more. */
export function useNoLastWord(): void {
  useEffect(() => notices.remove(LAST_WORD), [])
}

/** After a room: why one is not inside any more, and where to go. */
export function RoomEnd({ end, onAgain }: { end: CallEnd; onAgain(): void }) {
  const words = useRoomWords()
  const { title, about } = words.ends[end]
  return (
    <RoomInstead title={title} about={about}>
      {end !== 'room-gone' && end !== 'session-ended' && (
        <Button look="primary" icon="enter" onPress={onAgain}>
          {words.again}
        </Button>
      )}
    </RoomInstead>
  )
}

/** A person who has left a room by themselves is back on the floor, with a last word and the way back. */
export function Left({ roomId }: { roomId: string }) {
  const words = useRoomWords()
  const navigate = useNavigate()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, whatever the words become
  useEffect(() => {
    justLeft.note(roomId)
    const back = () => void navigate({ to: pagePaths.room, params: { roomId } })
    notices.show({
      id: LAST_WORD,
      text: words.ends.left.title,
      about: words.ends.left.about,
      seconds: LAST_WORD_SECONDS,
      actions: [{ label: words.again, onAction: back }],
    })
    void navigate({ to: pagePaths.floor, replace: true })
  }, [])
  return null
}

/** In the place of a room. */
export function RoomInstead({
  title,
  about,
  children,
}: {
  title: string
  about: string
  children?: ReactNode
}) {
  const words = useRoomWords()
  return (
    <div className="room-instead">
      <PageHeading title={title} about={about} />
      <div className="room-instead-buttons">
        {children}
        <Link to={pagePaths.floor} className="button">
          {words.toFloor}
        </Link>
      </div>
    </div>
  )
}
