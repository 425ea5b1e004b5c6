const NAMED = 5

/** The first few by name, and how many more there are: one cause of a thousand faults is one line. */
export function listed(names: readonly string[]): string {
  const rest = names.length - NAMED
  return rest > 0 ? `${names.slice(0, NAMED).join(', ')} and ${rest} more` : names.join(', ')
}
