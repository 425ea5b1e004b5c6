/** What a viewer is shown, with nothing in it that differs between two of the same scenes. */
export type Seen = Record<string, unknown>

/** Texts that are made anew each time, and what is sealed: whether there is one is all that they tell. */
const OPAQUE = /^(https?:|[\w-]{40,}|eyJ[\w-]+\.)/
const OPAQUE_NAMES = /^(requestId|time|timestamp|.*At|.*Hash|hash|since|until|durationSeconds)$/
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/
const IS_ID = /(^|_)ids?$|Ids?$|_sender$|^(created|started)By$|^version$/
/** What names something, wherever it stands. */
const NAMES =
  /[\w.+-]+@[\w.-]+|\b[a-z]+_[0-9A-HJKMNP-TV-Z]{26}\b|\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b|\bRoom \d+ of the stage|\bGroup [\da-f]{8}\b|\bEG_\w{12}\b|\bd-[\da-f]{10}\.example\b/g

/**
 * The same with what is named numbered in the order in which it comes, and moments and tokens alike: two scenes have what they
 * have in common. Order, counts, what is null, and which of two are one remain.
 */
export function withoutChance(seen: unknown): unknown {
  const known = new Map<string, string>()
  const numbered = (thing: string) => {
    const number = known.get(thing) ?? `<${known.size + 1}>`
    known.set(thing, number)
    return number
  }
  /** @param kind of things an id is one: ids of different kinds may be the same number */
  const plain = (value: unknown, name: string, kind: string): unknown => {
    if (Array.isArray(value)) return value.map((one) => plain(one, name, kind))
    if (value && typeof value === 'object')
      return Object.fromEntries(
        Object.keys(value)
          .sort()
          .map((key) => {
            const within = key === 'id' ? name : key
            return [key.replaceAll(NAMES, numbered), plain((value as Seen)[key], key, within)]
          }),
      )
    if (typeof value === 'number' && IS_ID.test(name)) return numbered(`${kind} ${value}`)
    if (typeof value === 'number' && OPAQUE_NAMES.test(name)) return '<moment>'
    if (typeof value !== 'string' || value === '') return value
    if (OPAQUE.test(value) || MOMENT.test(value) || OPAQUE_NAMES.test(name)) return '<opaque>'
    if (/^\d+$/.test(value) && IS_ID.test(name)) return numbered(`${kind} ${value}`)
    return value.replaceAll(NAMES, numbered)
  }
  return plain(seen, '', '')
}

/** Where two of them differ, and how. */
export function differences(one: unknown, other: unknown, path = ''): string[] {
  if (Object.is(one, other)) return []
  const isBranch = (value: unknown): value is Seen => typeof value === 'object' && value !== null
  if (!isBranch(one) || !isBranch(other) || Array.isArray(one) !== Array.isArray(other))
    return [`${path}: ${JSON.stringify(one)} is ${JSON.stringify(other)}`]
  const keys = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...keys].flatMap((key) => differences(one[key], other[key], `${path}/${key}`))
}
