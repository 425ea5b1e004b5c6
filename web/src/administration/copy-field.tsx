import { useCopy } from '../live/use-copy.ts'
import { IconButton } from '../ui/button.tsx'
import { Problem } from '../ui/state.tsx'
import { useSignOnWords } from '../words/sign-on.ts'

/** Something to be entered elsewhere, letter by letter. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const words = useSignOnWords()
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
