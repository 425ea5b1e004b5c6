import type { CSSProperties } from 'react'
import type { PersonInCall } from '../../media/call-state.ts'
import { classNames } from '../../ui/class-names.ts'
import { de } from '../../words/de/room.ts'
import { en } from '../../words/en/room.ts'
import { useWords } from '../../words/use-words.ts'
import { columnsFor, stageLayout, type View } from './stage-layout.ts'
import { Tile } from './tile.tsx'
import './stage.css'

export interface StageProps {
  people: readonly PersonInCall[]
  speaker: string | undefined
  view: View
  /** "" where somebody has none. */
  avatarOf(identity: string): string
}

/** Everybody in the room, and what they show. */
export function Stage({ people, speaker, view, avatarOf }: StageProps) {
  const words = useWords({ en, de })
  const { main, others } = stageLayout(people, view, speaker)
  const across = columnsFor(others.length)
  const fields = { '--across': across, '--rows': Math.ceil(others.length / across) } as CSSProperties
  return (
    <div className={classNames('stage', main && 'stage-with-main')}>
      {main && (
        <div className="stage-main">
          <Tile shown={main} avatarUrl={avatarOf(main.person.identity)} />
        </div>
      )}
      <ul
        className={main ? 'stage-strip' : 'stage-grid'}
        style={main ? undefined : fields}
        aria-label={words.people}
      >
        {others.map((shown) => (
          <li key={shown.key} className="stage-place">
            <Tile shown={shown} avatarUrl={avatarOf(shown.person.identity)} />
          </li>
        ))}
      </ul>
    </div>
  )
}
