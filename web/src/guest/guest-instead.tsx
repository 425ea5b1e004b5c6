import { sentenceOf } from '../live/problem.ts'
import type { CallEnd } from '../media/call/call-end.ts'
import { CannotSeal } from '../media/sealing/can-seal.ts'
import { Outside } from '../shell/outside/outside.tsx'
import { Button } from '../ui/button.tsx'
import { PageHeading } from '../ui/page-heading.tsx'
import { useGuestWords } from '../words/guest.ts'
import { useProblemsWords } from '../words/problems.ts'
import { useRoomWords } from '../words/room.ts'

export interface GuestInsteadProps {
  place: 'left' | 'not-waiting' | 'denied' | 'removed' | 'over' | 'failed' | { end: CallEnd }
  /** What the office has said. */
  error: unknown
  onAgain(): void
}

/** Not inside, and not at the door: why, and what to do. */
export function GuestInstead({ place, error, onAgain }: GuestInsteadProps) {
  const words = useGuestWords()
  const { ends, cannotSeal } = useRoomWords()
  const problems = useProblemsWords()
  const texts = {
    left: { title: words.left, about: words.leftAbout },
    'not-waiting': { title: words.notWaiting, about: words.notWaitingAbout },
    denied: { title: words.denied, about: words.deniedAbout },
    removed: { title: words.removed, about: words.removedAbout },
    over: { title: words.over, about: words.overAbout },
    failed:
      error instanceof CannotSeal ? cannotSeal : { title: words.failed, about: sentenceOf(error, problems) },
  }
  const { title, about } = typeof place === 'string' ? texts[place] : ends[place.end]
  const mayAskAgain = ['left', 'not-waiting', 'failed'].includes(place as string) || typeof place !== 'string'
  return (
    <Outside>
      <PageHeading title={title} about={about} />
      {mayAskAgain && (
        <Button look="primary" onPress={onAgain}>
          {words.again}
        </Button>
      )}
    </Outside>
  )
}
