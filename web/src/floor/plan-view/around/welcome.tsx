import { Link } from '@tanstack/react-router'
import { pagePaths } from '../../../../page-paths.ts'
import { client } from '../../../live/office-client.ts'
import { useMay } from '../../../live/permissions.ts'
import { useAction } from '../../../live/use-action.ts'
import { useCopy } from '../../../live/use-copy.ts'
import { Button } from '../../../ui/button.tsx'
import { Problem } from '../../../ui/state.tsx'
import { useFloorWords } from '../../../words/floor.ts'
import type { OfficePlan } from '../../plan/office-plan.ts'
import { lengths } from '../lengths.ts'
import './welcome.css'

/** What of the atrium is left beside one's own face: in a narrow window the face comes first in a line. */
const LEFT = { wide: 0.38, folded: 0.24 }
const PART = { wide: 0.6, folded: 0.74 }

/** In the atrium of an office of one: the free seats are the invitation. */
export function Welcome({ plan: { atrium, building } }: { plan: OfficePlan }) {
  const { x, y, width, height } = building.atrium
  const form = atrium ? 'wide' : 'folded'
  const words = useFloorWords()
  const may = useMay()
  const { copy, said, problem } = useCopy()
  const copyLink = useAction(async () => copy((await client.call('getInviteLink')).inviteLink))
  return (
    <section
      className="welcome"
      aria-label={words.freeTitle}
      style={lengths({ x: x + width * LEFT[form], y, width: width * PART[form], height })}
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
