/** A place where the house does not keep to a rule of ARCHITECTURE.md. */
export interface Violation {
  path: string
  line?: number
  /** What is wrong, and what to do instead. */
  what: string
}

/** Fails with one line for each violation: where, what, and the section of ARCHITECTURE.md that says so. */
export function expectNone(rule: string, violations: readonly Violation[]): void {
  if (violations.length === 0) return
  const lines = violations.map(
    ({ path, line, what }) => `  ${path}${line === undefined ? '' : `:${line}`}  ${what}`,
  )
  const failure = new Error(`${rule} (${violations.length})\n${lines.join('\n')}`)
  // where it was thrown says nothing about where the violation is
  failure.stack = ''
  throw failure
}
