import type { Person } from '@atrium/client/people'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/state.tsx'
import { useColleagueWords } from '../../words/colleague.ts'
import { useTalk } from './use-talk.ts'

interface TalkButtonProps {
  person: Person
  /** The first thing that one can do. */
  wide?: boolean
  /** One is on the way. */
  onTalk?(): void
}

/** At once at a table for two, where the colleague is rung for. */
export function TalkButton({ person, wide = false, onTalk }: TalkButtonProps) {
  const words = useColleagueWords()
  const talk = useTalk()
  const talkNow = async () => {
    if (await talk.run(person)) onTalk?.()
  }
  return (
    <>
      <Button
        small={!wide}
        wide={wide}
        look={wide ? 'primary' : 'plain'}
        icon="microphone"
        busy={talk.busy}
        onPress={() => void talkNow()}
      >
        {words.talk}
      </Button>
      <Problem>{talk.problem}</Problem>
    </>
  )
}
