import { Loading } from '../ui/state.tsx'
import { useInsteadWords } from '../words/instead.ts'

/** While a screen is loaded. */
export function Waiting() {
  return <Loading label={useInsteadWords().loading} />
}
