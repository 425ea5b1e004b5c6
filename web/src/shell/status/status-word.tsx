import type { VisibleStatus } from '@atrium/client/people'
import { useShellWords } from '../../words/shell.ts'

/** What the dot of a picture says, read after all else. */
export function StatusWord({ status }: { status: VisibleStatus }) {
  const { status: words } = useShellWords()
  return <span className="visually-hidden">{words[status]}</span>
}
