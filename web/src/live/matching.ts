/** Whether a text has the wanted one in it, in any case; where nothing is wanted, every text has. */
export function matches(text: string, wanted: string): boolean {
  const sought = wanted.trim()
  // of a thousand people at each change of one, mostly nothing is sought
  return sought === '' || text.toLocaleLowerCase().includes(sought.toLocaleLowerCase())
}

/** Whether the name or the address of a person matches. */
export function isCalled(person: { displayName: string; email: string }, wanted: string): boolean {
  return matches(person.displayName, wanted) || matches(person.email, wanted)
}
