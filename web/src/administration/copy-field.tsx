import { useCopy } from '../live/use-copy.ts'
import { IconButton } from '../ui/button.tsx'
import { Problem } from '../ui/state.tsx'
import { de } from '../words/de/sign-on.ts'
import { en } from '../words/en/sign-on.ts'
import { useWords } from '../words/use-words.ts'

/** Something to be entered elsewhere, letter by letter. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const words = useWords({ en, de })
  const { copy, said, problem } = useCopy()
  return (
    <div className="copy-field">
      <span className="small soft">{label}</span>
      <div className="copy-field-value">
        <code className="administration-secret">{value}</code>
        <IconButton icon="copy" label={words.copy(label)} onPress={() => void copy(value)} />
      </div>
      <span role="status" className="small soft">
        {said}
      </span>
      <Problem>{problem}</Problem>
    </div>
  )
}
