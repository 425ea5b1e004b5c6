/** Whether a text has the wanted one in it, in any case; where nothing is wanted, every text has. */
export function matches(text: string, wanted: string): boolean {
  const sought = wanted.trim()
  // of a thousand people at each change of one, mostly nothing is sought
  return sought === '' || text.toLocaleLowerCase().includes(sought.toLocaleLowerCase())
}

/** How near a name is to what is sought: 0 where it begins so, 1 where one of its words does, 2 otherwise. */
export function distanceOf(name: string, wanted: string): number {
  const sought = wanted.trim().toLocaleLowerCase()
  const sounded = name.trim().toLocaleLowerCase()
  if (sounded.startsWith(sought)) return 0
  return sounded.split(/[\s-]+/).some((word) => word.startsWith(sought)) ? 1 : 2
}

/** Whether the name or the address of a person matches. */
export function isCalled(person: { displayName: string; email: string }, wanted: string): boolean {
  return matches(person.displayName, wanted) || matches(person.email, wanted)
}
