/** How near a name is to what is sought: 0 where it begins so, 1 where one of its words does, 2 otherwise. */
export function distanceOf(name: string, wanted: string): number {
  const sought = wanted.trim().toLocaleLowerCase()
  const sounded = name.trim().toLocaleLowerCase()
  if (sounded.startsWith(sought)) return 0
  return sounded.split(/[\s-]+/).some((word) => word.startsWith(sought)) ? 1 : 2
}
