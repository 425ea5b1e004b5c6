import { Loading } from '../ui/state.tsx'
import { de } from '../words/de/instead.ts'
import { en } from '../words/en/instead.ts'
import { useWords } from '../words/use-words.ts'

/** While a screen is loaded. */
export function Waiting() {
  return <Loading label={useWords({ en, de }).loading} />
}
