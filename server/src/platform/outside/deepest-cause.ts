/**
 * What a failure comes of in the end: `fetch failed` says nothing, and the refused connection two causes below it
 * everything. Of several tries at once the first tells.
 */
export function deepestCause(error: unknown): unknown {
  let found = error
  // an error that is its own cause must not hold us
  for (let depth = 0; depth < 8; depth += 1) {
    const below =
      found instanceof AggregateError ? found.errors[0] : found instanceof Error ? found.cause : undefined
    if (!(below instanceof Error)) return found
    found = below
  }
  return found
}
