import type { Call } from '../../media/call-state.ts'
import { reactions } from '../../media/signals/room-signal.ts'
import { useStageWords } from '../../words/stage.ts'
import { ReactionSign } from '../stage/reaction-sign.tsx'

/** What one can let rise over one's own picture. */
export function Reactions({ call, onChosen }: { call: Call; onChosen(): void }) {
  const words = useStageWords()
  return (
    <fieldset aria-label={words.react} className="reactions">
      {reactions.map((reaction) => (
        <button
          key={reaction}
          type="button"
          className="reaction"
          aria-label={words.reactions[reaction]}
          title={words.reactions[reaction]}
          onClick={() => {
            call.react(reaction)
            onChosen()
          }}
        >
          <ReactionSign reaction={reaction} size={26} />
        </button>
      ))}
    </fieldset>
  )
}
