import type { CaptionLine } from '../../media/call-state.ts'
import { useStageWords } from '../../words/stage.ts'
import './captions.css'

/** What was said last, and by whom: under the speakers. */
export function Captions({ lines }: { lines: readonly CaptionLine[] }) {
  const words = useStageWords()
  return (
    <div role="log" aria-label={words.captions.title} className="captions">
      {lines.map(({ id, name, text }) => (
        <p key={id} className="captions-line">
          <strong>{name}</strong> {text}
        </p>
      ))}
    </div>
  )
}
