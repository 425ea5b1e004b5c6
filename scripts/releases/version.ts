/** What of a version is raised, by its name; or the version itself. */
const RAISED = { major: 0, minor: 1, patch: 2 } as const
const FORM = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/

/**
 * The version of the next release.
 * @param asked `major`, `minor`, `patch`, or a version that comes after the one there is
 * @throws Error in a sentence for the person at the command line
 */
export function nextVersion(current: string, asked: string): string {
  const now = numbersOf(current)
  if (!now) throw new Error(`the version there is, ${current}, is none of three numbers`)
  const raised = Object.hasOwn(RAISED, asked) ? RAISED[asked as keyof typeof RAISED] : undefined
  if (raised !== undefined)
    return now.map((number, at) => (at < raised ? number : at === raised ? number + 1 : 0)).join('.')
  const next = numbersOf(asked)
  if (!next) throw new Error(`${asked} is no version: major, minor, patch, or three numbers such as 1.2.3`)
  if (!isAfter(next, now)) throw new Error(`${asked} does not come after ${current}`)
  return asked
}

function numbersOf(version: string): number[] | undefined {
  return FORM.exec(version)?.slice(1).map(Number)
}

function isAfter(next: readonly number[], now: readonly number[]): boolean {
  const differing = next.findIndex((number, at) => number !== now[at])
  return differing >= 0 && (next[differing] as number) > (now[differing] as number)
}
