/** A member of a conversation, or everybody in it, as a text mentions them. */
export interface Mentionable {
  /** A `User.id`, or `room`. */
  id: string
  name: string
}

const STORED = /<@(\d{1,18}|room)>/g
/** Behind a name: another letter would make it another name. */
const GOES_ON = /^[\p{L}\p{N}_]/u

/** A text as it is typed: with names in the place of ids. Ids of others stay. */
export function withNames(content: string, members: readonly Mentionable[]): string {
  return content.replaceAll(STORED, (mention, id: string) => {
    const member = members.find((one) => one.id === id)
    return member ? `@${member.name}` : mention
  })
}

/**
 * A text as it is stored: with ids in the place of names.
 * @param members of two of one name the first is meant: those that were chosen from the list come first
 */
export function withIds(text: string, members: readonly Mentionable[]): string {
  const longestFirst = members
    .filter(({ name }) => name !== '')
    .sort((one, other) => other.name.length - one.name.length)
  let stored = ''
  let rest = text
  for (let at = rest.indexOf('@'); at >= 0; at = rest.indexOf('@')) {
    const after = rest.slice(at + 1)
    const member = longestFirst.find(
      ({ name }) => after.startsWith(name) && !GOES_ON.test(after.slice(name.length)),
    )
    const isWithin = /[\p{L}\p{N}]$/u.test(rest.slice(0, at))
    stored += rest.slice(0, at) + (member && !isWithin ? `<@${member.id}>` : '@')
    rest = after.slice(member && !isWithin ? member.name.length : 0)
  }
  return stored + rest
}

/** What is typed behind the last `@` before the caret; undefined: no mention is being typed. */
export function mentionQuery(before: string): string | undefined {
  return /(?:^|[\s(])@([^\s@]{0,40}(?: [^\s@]{0,40})?)$/u.exec(before.slice(-100))?.[1]
}

const SHOWN = 8

/** Those of whom a word of the name begins so. */
export function mentionable(members: readonly Mentionable[], query: string): readonly Mentionable[] {
  const wanted = query.toLocaleLowerCase()
  return members
    .filter(({ name }) => {
      const known = name.toLocaleLowerCase()
      return known.startsWith(wanted) || known.split(/\s+/).some((word) => word.startsWith(wanted))
    })
    .slice(0, SHOWN)
}
