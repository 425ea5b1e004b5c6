import type { Person } from '@atrium/client/people'
import type { Room } from '@atrium/client/rooms'
import { usePeople, useRooms } from '@atrium/react'
import { Link } from '@tanstack/react-router'
import { pagePaths } from '../../../page-paths.ts'
import { type ShownColleague, shownColleague } from '../../live/shown-colleague.ts'
import { useSession } from '../../live/use-session.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { PopoverAt } from '../../ui/overlays/popover.tsx'
import { Problem } from '../../ui/state.tsx'
import { de } from '../../words/de/colleague.ts'
import { de as shellDe } from '../../words/de/shell.ts'
import { en } from '../../words/en/colleague.ts'
import { en as shellEn } from '../../words/en/shell.ts'
import { useWords } from '../../words/use-words.ts'
import { aboutPerson, dotOf, isReachable } from '../status/status-words.ts'
import { KnockDialog } from './knock-dialog.tsx'
import { useWriteTo } from './use-write-to.ts'
import './colleague-card.css'

/** Above the screen: who somebody is, and what one can do with them; or what one says when one knocks. */
export function Colleague({ userId, as, anchor }: ShownColleague) {
  const { people } = usePeople()
  const { rooms } = useRooms()
  const session = useSession()
  const person = people.find(({ id }) => id === userId)
  // whoever has left the organization has no card any more
  if (!person) return null
  if (as === 'knock') {
    const ownId = session.state === 'signed-in' ? session.user.id : ''
    return <KnockDialog {...{ person, ownId, rooms }} onClose={() => shownColleague.close('knock')} />
  }
  const room = rooms.find(({ id }) => id === person.roomId)
  return (
    <PopoverAt label={nameOf(person)} anchor={anchor} onClose={closeCard}>
      <Card person={person} room={room} anchor={anchor} />
    </PopoverAt>
  )
}

const closeCard = () => shownColleague.close('card')

interface CardProps {
  person: Person
  room: Room | undefined
  anchor: HTMLElement
}

function Card({ person, room, anchor }: CardProps) {
  const words = useWords({ en, de })
  const { status } = useWords({ en: shellEn, de: shellDe })
  const { id, email, avatarUrl } = person
  const name = nameOf(person)
  const session = useSession()
  const isOwn = session.state === 'signed-in' && session.user.id === id
  const write = useWriteTo(id)
  const writeNow = async () => {
    if (await write.run()) closeCard()
  }
  return (
    <div className="colleague-card">
      <div className="colleague-card-head">
        <Avatar id={id} name={name} url={avatarUrl} size="large" status={dotOf(person.status)} />
        <div className="colleague-card-text">
          <p className="colleague-card-name">{name}</p>
          <p className="soft small">{email}</p>
        </div>
      </div>
      <p>{aboutPerson(person, status, room?.name)}</p>
      <div className="colleague-card-actions">
        {isOwn ? (
          <Link to={pagePaths.settings} className="button button-small" onClick={closeCard}>
            {words.ownProfile}
          </Link>
        ) : (
          <Button small look="primary" icon="chat" busy={write.busy} onPress={() => void writeNow()}>
            {words.write}
          </Button>
        )}
        {!isOwn && isReachable(person) && (
          <Button small icon="knock" onPress={() => shownColleague.show({ userId: id, as: 'knock', anchor })}>
            {words.knock}
          </Button>
        )}
        {room && (
          <Link
            to={pagePaths.room}
            params={{ roomId: room.id }}
            className="button button-small"
            onClick={closeCard}
          >
            {words.enter(room.name)}
          </Link>
        )}
      </div>
      <Problem>{write.problem}</Problem>
    </div>
  )
}

function nameOf({ displayName, email }: Person): string {
  return displayName || email
}
