import { useCallback, useRef, useState } from 'react'
import { useProblemsWords } from '../words/problems.ts'
import { tellGone } from './page/gone.ts'
import { isDecided, sentenceOf } from './problem.ts'

export interface Action<Arguments extends unknown[]> {
  /** Does it, unless it is under way. Never rejects: `problem` says what went wrong. @returns whether it went well */
  run(...given: Arguments): Promise<boolean>
  busy: boolean
  /** A sentence; undefined where nothing is wrong. */
  problem: string | undefined
  /** The office has decided so: the same once more would be refused again. */
  refused: boolean
  clear(): void
}

/** What a button or a form does: once at a time, with a sentence where it fails. */
export function useAction<Arguments extends unknown[]>(
  work: (...given: Arguments) => Promise<unknown>,
): Action<Arguments> {
  const words = useProblemsWords()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<{ thrown: unknown }>()
  const underWay = useRef(false)
  const current = useRef(work)
  current.current = work
  const run = useCallback(async (...given: Arguments) => {
    if (underWay.current) return false
    underWay.current = true
    setBusy(true)
    setError(undefined)
    try {
      await current.current(...given)
      return true
    } catch (thrown) {
      setError({ thrown })
      tellGone(thrown)
      return false
    } finally {
      underWay.current = false
      setBusy(false)
    }
  }, [])
  const clear = useCallback(() => setError(undefined), [])
  return {
    ...{ run, busy, clear },
    problem: error && sentenceOf(error.thrown, words),
    refused: error !== undefined && isDecided(error.thrown),
  }
}
