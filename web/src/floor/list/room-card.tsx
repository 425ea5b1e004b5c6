import type { PersonInRoom, Room } from '@atrium/client/rooms'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { pagePaths } from '../../../page-paths.ts'
import { PersonName } from '../../shell/colleague/person-name.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import { useFloorWords } from '../../words/floor.ts'

/** A room with the people inside: what one wants to know before one enters. */
export const RoomCard = memo(({ room, ownId }: { room: Room; ownId: string }) => {
  const words = useFloorWords()
  const { id, name, people, agents, guests } = room
  const isHere = people.some(({ userId }) => userId === ownId)
  const count = people.length + guests
  return (
    <li className={classNames('room-card', count > 0 && 'room-card-lively')}>
      <Head room={room} />
      {count === 0 ? (
        <p className="soft small">{words.nobodyInside}</p>
      ) : (
        <ul className="room-card-people" aria-label={`${words.inside}: ${words.insideCount(count)}`}>
          {people.map((person) => (
            <Inside key={person.userId} person={person} />
          ))}
          {guests > 0 && (
            <li className="room-card-person">
              <span className="room-card-guest">
                <Icon name="guest" size={16} />
              </span>
              {words.guests(guests)}
            </li>
          )}
        </ul>
      )}
      <BotsInside agents={agents} />
      <Link
        to={pagePaths.room}
        params={{ roomId: id }}
        className={classNames('button', 'button-small', isHere && 'button-primary')}
      >
        {isHere ? words.youAreHere : words.enter} <span className="visually-hidden">{name}</span>
        <Icon name="enter" size={16} />
      </Link>
    </li>
  )
})

function Inside({ person }: { person: PersonInRoom }) {
  const words = useFloorWords()
  const { userId, displayName, avatarUrl, microphone, camera, screen } = person
  return (
    <li className="room-card-person">
      <Avatar id={userId} name={displayName} url={avatarUrl} size="small" />
      <span className="list-title">
        <PersonName userId={userId} name={displayName} />
      </span>
      <span className="room-card-media">
        {screen && <Medium icon="screen" label={words.screen} />}
        {camera && <Medium icon="camera" label={words.camera} />}
        {microphone && <Medium icon="microphone" label={words.microphone} />}
      </span>
    </li>
  )
}

function Medium({ icon, label }: { icon: 'screen' | 'camera' | 'microphone'; label: string }) {
  return (
    <>
      <Icon name={icon} size={16} />
      <span className="visually-hidden">{label}</span>
    </>
  )
}

function BotsInside({ agents }: Pick<Room, 'agents'>) {
  const words = useFloorWords()
  if (agents.length === 0) return null
  return (
    <ul className="room-card-people" aria-label={words.bots(agents.length)}>
      {agents.map(({ botId, name }) => (
        <li key={botId} className="room-card-person">
          <Icon name="bot" size={16} />
          <span className="list-title">
            <PersonName userId={botId} name={name} />
          </span>
          <small className="soft">{words.bot}</small>
        </li>
      ))}
    </ul>
  )
}

function Head({ room: { name, sealed, recording } }: { room: Room }) {
  const words = useFloorWords()
  return (
    <div className="room-card-head">
      <h3>{name}</h3>
      {sealed && (
        <span className="room-card-sealed">
          <Icon name="administration" size={14} />
          {words.sealedShort}
        </span>
      )}
      {recording && (
        <span className="room-card-recording">
          <Icon name="record" size={14} />
          {words.recording}
        </span>
      )}
    </div>
  )
}
