import { useCallback, useState } from 'react'
import { useCopyingWords } from '../words/copying.ts'

export interface Copying {
  /** Never rejects: `problem` says that it did not work. */
  copy(text: string): Promise<void>
  /** The announcement for screen readers; "" before. */
  said: string
  /** What to do instead, where the browser does not let a page copy. */
  problem: string | undefined
  /** Whatever was copied is not the newest any more. */
  forget(): void
}

/** Puts a text on the clipboard. */
export function useCopy(): Copying {
  const words = useCopyingWords()
  const [outcome, setOutcome] = useState<'copied' | 'refused'>()
  const copy = useCallback(async (text: string) => {
    try {
      await navigator.clipboard.writeText(text)
      setOutcome('copied')
    } catch {
      setOutcome('refused')
    }
  }, [])
  const forget = useCallback(() => setOutcome(undefined), [])
  return {
    copy,
    forget,
    said: outcome === 'copied' ? words.copied : '',
    problem: outcome === 'refused' ? words.byHand : undefined,
  }
}
