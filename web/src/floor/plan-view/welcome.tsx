import { Link } from '@tanstack/react-router'
import { pagePaths } from '../../../page-paths.ts'
import { client } from '../../live/office-client.ts'
import { useMay } from '../../live/permissions.ts'
import { useAction } from '../../live/use-action.ts'
import { useCopy } from '../../live/use-copy.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/state.tsx'
import { useFloorWords } from '../../words/floor.ts'
import type { Rect } from '../plan/building.ts'
import { lengths } from './lengths.ts'
import './welcome.css'

/** In the atrium of an office of one: the free seats are the invitation. */
export function Welcome({ atrium: { x, y, width, height } }: { atrium: Rect }) {
  const words = useFloorWords()
  const may = useMay()
  const { copy, said, problem } = useCopy()
  const copyLink = useAction(async () => copy((await client.call('getInviteLink')).inviteLink))
  return (
    <section
      className="welcome"
      aria-label={words.freeTitle}
      style={lengths({ x: x + width * 0.38, y, width: width * 0.6, height })}
    >
      <ul className="welcome-seats" aria-hidden="true">
        <li />
        <li />
        <li />
      </ul>
      <div>
        <h2>{words.freeTitle}</h2>
        <p className="soft">{words.freeAbout}</p>
        <div className="welcome-buttons">
          <Link to={pagePaths.members} className="button button-small button-primary">
            {words.inviteSomebody}
          </Link>
          {may('ReadInviteLink') && (
            <Button small busy={copyLink.busy} onPress={() => void copyLink.run()}>
              {words.copyLink}
            </Button>
          )}
          <span role="status" className="small soft">
            {said}
          </span>
        </div>
        <Problem>{problem ?? copyLink.problem}</Problem>
      </div>
    </section>
  )
}
