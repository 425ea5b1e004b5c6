import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { pagePaths } from '../../page-paths.ts'
import type { CallEnd } from '../media/call-end.ts'
import { Button } from '../ui/button.tsx'
import { PageHeading } from '../ui/page-heading.tsx'
import { de } from '../words/de/room.ts'
import { en } from '../words/en/room.ts'
import { useWords } from '../words/use-words.ts'

/** After a room: why one is not inside any more, and where to go. */
export function RoomEnd({ end, onAgain }: { end: CallEnd; onAgain(): void }) {
  const words = useWords({ en, de })
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
  const words = useWords({ en, de })
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
