import { useState } from 'react'
import { useAction } from '../live/use-action.ts'
import { IconButton } from '../ui/button.tsx'
import { Problem } from '../ui/state.tsx'
import { de } from '../words/de/sign-on.ts'
import { en } from '../words/en/sign-on.ts'
import { useWords } from '../words/use-words.ts'

/** Something to be entered elsewhere, letter by letter. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const words = useWords({ en, de })
  const [copied, setCopied] = useState(false)
  const copy = useAction(async () => {
    await navigator.clipboard.writeText(value)
    setCopied(true)
  })
  return (
    <div className="copy-field">
      <span className="small soft">{label}</span>
      <div className="copy-field-value">
        <code className="administration-secret">{value}</code>
        <IconButton icon="copy" label={words.copy(label)} onPress={() => void copy.run()} />
      </div>
      <span role="status" className="small soft">
        {copied ? words.copied : ''}
      </span>
      <Problem>{copy.problem}</Problem>
    </div>
  )
}
