import { deepestCause } from '../../platform/outside/deepest-cause.ts'

/** Why something failed, in its own words or those of what caused it; never with a key of ours. */
export function reasonOf(error: unknown): string {
  const cause = deepestCause(error)
  if (cause instanceof Error && cause.name === 'TimeoutError') return 'no answer in time'
  return cause instanceof Error ? cause.message || cause.name : String(cause)
}
