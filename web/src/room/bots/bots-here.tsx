import type { PersonInCall } from '../../media/call-state.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useRoomWords } from '../../words/room.ts'
import { useStageWords } from '../../words/stage.ts'
import { personIdOf } from '../stage/tile.tsx'
import './bots.css'

export interface BotsHereProps {
  bots: readonly PersonInCall[]
  avatarOf(identity: string): string
}

/** The bots in the room, apart from its people. */
export function BotsHere({ bots, avatarOf }: BotsHereProps) {
  const words = useStageWords()
  const room = useRoomWords()
  if (bots.length === 0) return null
  return (
    <section className="bots-here">
      <h3 id="bots-here">
        <Icon name="bot" size={16} /> {words.botsHere}
      </h3>
      <ul aria-labelledby="bots-here">
        {bots.map(({ identity, name }) => (
          <li key={identity} className="people-panel-row">
            <Avatar id={personIdOf(identity)} name={name} url={avatarOf(identity)} />
            <span className="people-panel-name">
              {name} <small>{room.bot}</small>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
