import { classNames } from '../../ui/class-names.ts'
import { portraitOf } from '../../ui/portrait.ts'
import type { Seats } from '../plan/furniture/furnish.ts'
import { seated } from '../plan/seating.ts'
import { lengths } from '../plan-view/lengths.ts'

/** A person of a picture of the plan. */
export interface SeatedPerson {
  id: string
  /** Left out: the portrait that is drawn for the id. */
  url?: string
  /** Shown below the face. */
  name?: string
  isOwn?: boolean
  isSpeaking?: boolean
}

/** Faces at the seats that their ids hash to, as on the floor. */
export function SeatedFaces({ people, seats }: { people: readonly SeatedPerson[]; seats: Seats }) {
  if (people.length === 0) return null
  const ids = people.map(({ id }) => id)
  const seating = seated(new Map(), ids, seats.at.length)
  return (
    <ul>
      {people.map(({ id, url, name, isOwn, isSpeaking }) => {
        const seat = seats.at[seating.get(id) ?? -1]
        if (!seat) return null
        return (
          <li
            key={id}
            className={classNames('face', isOwn && 'face-own', isSpeaking && 'face-speaking')}
            style={lengths({ ...seat })}
          >
            <span className="face-picture">
              <img src={url || portraitOf(id)} alt="" width="40" height="40" decoding="async" />
            </span>
            {name && <span className="face-name">{name}</span>}
          </li>
        )
      })}
    </ul>
  )
}
