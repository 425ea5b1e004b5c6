import { memo, useState } from 'react'
import { Avatar } from '../../ui/avatar.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { portraitOf } from '../../ui/portrait.ts'
import { useFloorWords } from '../../words/floor.ts'
import type { Mark, Occupant } from '../state/occupant.ts'
import { lengths } from './lengths.ts'

const BADGES: Record<Mark, IconName> = {
  screen: 'screen',
  busy: 'moon',
  elsewhere: 'calendar',
  away: 'cup',
  muted: 'microphone-off',
  camera: 'camera',
  hand: 'hand',
}

export interface FaceProps {
  occupant: Occupant
  /** The middle of the seat. */
  x: number
  y: number
  /** Of the name below the face; undefined: as much as the plan has. */
  nameWidth?: number
  /** Walks in from the door; people at their seats when the plan is drawn first do not. */
  walks?: boolean
  /** Waits outside. */
  isAtDoor?: boolean
}

/** A person at a seat, with a badge for the most important mark. The plan handles presses. */
export const Face = memo(function Face(props: FaceProps) {
  const { occupant, x, y, nameWidth, walks = false, isAtDoor = false } = props
  const words = useFloorWords()
  const [comesIn] = useState(walks)
  const { id, name, isOwn, isGuest, isSpeaking, marks } = occupant
  const [badge] = marks
  const states = [
    ...(isOwn ? [words.isYou] : []),
    ...(isGuest && name ? [words.guest] : []),
    ...(isSpeaking ? [words.speaking] : []),
    ...marks.map((mark) => words.marks[mark]),
    ...(isAtDoor ? [words.waitsAtDoor] : []),
  ]
  const label = [name || words.guest, ...states].join(', ')
  return (
    <li
      className={classNames(
        'face',
        isOwn && 'face-own',
        isSpeaking && 'face-speaking',
        marks.includes('away') && 'face-away',
        comesIn && 'face-walks',
        isAtDoor && 'face-at-door',
      )}
      style={lengths({ x, y, ...(nameWidth !== undefined && { 'name-width': nameWidth }) })}
    >
      <button type="button" className="face-picture" data-face={id} tabIndex={-1} aria-label={label}>
        <Picture occupant={occupant} />
        {badge && !isAtDoor && (
          <span className={classNames('badge', `badge-${badge}`)}>
            <Icon name={BADGES[badge]} size={13} />
          </span>
        )}
      </button>
      <ShownName>
        {isAtDoor ? words.knocks(occupant.shortName) : isOwn ? words.you : occupant.shortName || words.guest}
      </ShownName>
    </li>
  )
})

/** What follows the first word tells two people apart: where there is no room for all, the first is cut. */
function ShownName({ children }: { children: string }) {
  const [first, ...rest] = children.split(' ')
  return (
    <span className="face-name" aria-hidden="true">
      <span>{first}</span>
      {rest.length > 0 && ` ${rest.join(' ')}`}
    </span>
  )
}

function Picture({ occupant: { id, name, avatarUrl } }: { occupant: Occupant }) {
  // of a guest inside no more is known than that they are there
  if (name === '') return <Icon name="guest" size={20} />
  return (
    <img src={avatarUrl || portraitOf(id)} alt="" width="40" height="40" loading="lazy" decoding="async" />
  )
}

/** A face beside its name, in lists and cards. */
export function SmallFace({ occupant: { id, name, avatarUrl } }: { occupant: Occupant }) {
  return <Avatar id={id} name={name} url={avatarUrl} size="small" />
}
