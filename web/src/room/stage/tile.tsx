import type { PersonInCall, ShownReaction } from '../../media/call-state.ts'
import { Picture } from '../../media/picture.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import { useRoomWords } from '../../words/room.ts'
import { useStageWords } from '../../words/stage.ts'
import type { Shown } from './arrangement.ts'
import { QualityBars } from './quality-bars.tsx'
import { ReactionSign } from './reaction-sign.tsx'
import './tile.css'

/** What a tile shows of its room, beside the picture. */
export interface TileLook {
  /** "" where a person has none. */
  avatarOf(identity: string): string
  hands: readonly string[]
  reactions: readonly ShownReaction[]
  /** Key of what is pinned. */
  pinned: string | undefined
  onPin(key: string | undefined): void
}

export interface TileProps extends TileLook {
  shown: Shown
  onShape?: (ratio: number) => void
}

/** A person, or the screen they share: with their name, and what they can be heard of. */
export function Tile({ shown: { key, person, what }, onShape, ...look }: TileProps) {
  const words = useStageWords()
  const room = useRoomWords()
  const { identity, name, isOwn, speaking, camera, screen } = person
  const isScreen = what === 'screen'
  const track = isScreen ? screen : camera
  const label = isScreen ? room.screenOf(name) : isOwn ? words.you : name
  const isPinned = look.pinned === key
  return (
    <figure
      className={classNames('tile', isScreen && 'tile-screen', !isScreen && speaking && 'tile-speaking')}
    >
      {/* behind the picture too, as long as that is on its way */}
      <Avatar
        id={person.isGuest ? name : personIdOf(identity)}
        name={name}
        url={look.avatarOf(identity)}
        isBot={person.isBot}
        size="large"
      />
      {track && <Picture track={track} isMirrored={isOwn && !isScreen} {...(onShape ? { onShape } : {})} />}
      {!isScreen && <Raised identity={identity} hands={look.hands} />}
      <figcaption className="tile-name">
        {isScreen ? <Icon name="screen" size={15} /> : <Muted person={person} />}
        <span className="tile-name-text">{label}</span>
        {!isScreen && person.isGuest && <small>{room.guest}</small>}
        {!isScreen && person.isBot && <small>{room.bot}</small>}
        {!isScreen && speaking && <span className="visually-hidden"> {room.speaking}</span>}
        {!isScreen && <QualityBars connection={person.connection} />}
      </figcaption>
      <span className="tile-pin">
        <IconButton
          icon="pin"
          label={isPinned ? words.unpin(label) : words.pin(label)}
          small
          aria-pressed={isPinned}
          onPress={() => look.onPin(isPinned ? undefined : key)}
        />
      </span>
      {!isScreen && <Rising identity={identity} reactions={look.reactions} />}
    </figure>
  )
}

function Muted({ person }: { person: PersonInCall }) {
  const words = useRoomWords()
  // that it is one stands behind its name
  if (person.isBot) return null
  if (person.microphone) return null
  return (
    <>
      <Icon name="microphone-off" size={15} />
      <span className="visually-hidden">{words.muted}: </span>
    </>
  )
}

function Raised({ identity, hands }: { identity: string; hands: readonly string[] }) {
  const words = useStageWords()
  const number = hands.indexOf(identity) + 1
  if (number === 0) return null
  return (
    <span className="tile-hand" role="img" aria-label={words.handUp(number)}>
      <Icon name="hand" size={18} />
      {number}
    </span>
  )
}

function Rising({ identity, reactions }: { identity: string; reactions: readonly ShownReaction[] }) {
  const own = reactions.filter((one) => one.identity === identity)
  if (own.length === 0) return null
  return (
    <span className="tile-reactions" aria-hidden="true">
      {own.map(({ id, reaction }) => (
        <span key={id} className={`tile-reaction tile-reaction-${id % 3}`}>
          <ReactionSign reaction={reaction} size={38} />
        </span>
      ))}
    </span>
  )
}

/** A second connection of a person carries a mark behind their id. */
export function personIdOf(identity: string): string {
  return identity.split('#')[0] ?? identity
}
