/** A worst text: one that readers are known to be slow at. */
export interface WorstText {
  name: string
  /** A text of about so many bytes of UTF-8, never more. */
  make(bytes: number): string
}

/** A worst value, in place of a text or beside it. */
export interface WorstValue {
  name: string
  /** JSON of about so many bytes. */
  make(bytes: number): string
}

const ENCODER = new TextEncoder()
const bytesOf = (text: string) => ENCODER.encode(text).length
const repeat = (unit: string, bytes: number) => unit.repeat(Math.max(Math.floor(bytes / bytesOf(unit)), 1))
const text = (name: string, unit: string, [before, after]: [string?, string?] = []): WorstText => ({
  name,
  make: (bytes) => (before ?? '') + repeat(unit, bytes - 64) + (after ?? ''),
})

/** Two marks of different classes: normalisation has to bring each of the second before each of the first. */
export const MARKS: WorstText = {
  name: 'marks',
  make: (bytes) => `a${repeat('\u0301', (bytes - 1) / 2)}${repeat('\u0327', (bytes - 1) / 2)}`,
}

export const WORST_TEXTS: readonly WorstText[] = [
  MARKS,
  text('one IDN label', 'ü', ['a@', '.example']),
  text('IDN labels', 'ü.', ['a@', 'example']),
  text('an IDN domain', 'ü.', ['', 'example']),
  { name: 'an IDN label of many letters', make: (bytes) => idnAddress(bytes) },
  text('joined emoji', '👩\u200d'),
  text('letters', 'a'),
  text('spaces', ' ', ['a', 'a']),
  text('digits', '7'),
  text('dots', '.', ['a', 'a']),
  text('at signs', 'a@'),
  text('hyphens', '-', ['a', 'a']),
  text('quotes', '"'),
  text('commas', 'a,', ['(', ')']),
  text('open brackets', '['),
  text('open parentheses', '('),
  text('syllables', '\u1100\u1161'),
  text('ligatures', '\ufdfa'),
]

/** What headers hold several values as. */
export const LIST = text('list', 'a,')

/** Of headers: Node takes no other characters in them, and passes bytes on as they are. */
export const HEADER_TEXTS: readonly WorstText[] = [
  MARKS,
  text('letters', 'a'),
  text('spaces', ' ', ['a', 'a']),
  text('digits', '7'),
  text('pairs', 'a=b;'),
  text('quotes', '"'),
  LIST,
  text('weights', 'a;q=0.1,'),
  text('colons', ':a'),
  text('dots', 'a.'),
  text('percents', '%C3'),
]

/** Each letter another one: to encode them takes a walk through all of them for each. */
function idnAddress(bytes: number): string {
  const letters = Array.from({ length: (bytes - 16) / 3 }, (_, n) =>
    String.fromCharCode(0x4e00 + ((n * 37) % 20_000)),
  )
  return `a@${letters.join('')}.example`
}

const list = (unit: string, bytes: number) => {
  const count = Math.max(Math.floor((bytes - 2) / (bytesOf(unit) + 1)), 1)
  return `[${Array.from({ length: count }, () => unit).join(',')}]`
}
const members = (count: number, one: (place: number) => string) =>
  Array.from({ length: count }, (_, n) => one(n))

/** Values that are wide, deep, or say the same again and again. */
export const WORST_VALUES: readonly WorstValue[] = [
  { name: 'many empty texts', make: (bytes) => list('""', bytes) },
  { name: 'many texts', make: (bytes) => `[${distinct(bytes).join(',')}]` },
  {
    name: 'IDN addresses',
    make: (bytes) => list(JSON.stringify(idnAddress(Math.min(9 * 1_024, bytes / 2))), bytes),
  },
  { name: 'texts of thirty marks', make: (bytes) => list(JSON.stringify(MARKS.make(61).repeat(8)), bytes) },
  { name: 'many numbers', make: (bytes) => list('0', bytes) },
  { name: 'many objects', make: (bytes) => list('{}', bytes) },
  { name: 'nested lists', make: (bytes) => `${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}` },
  { name: 'lists of thirty', make: (bytes) => list(`${'['.repeat(25)}${']'.repeat(25)}`, bytes) },
  { name: 'many fields', make: (bytes) => `{${fields(bytes).join(',')}}` },
  { name: 'one field again and again', make: (bytes) => `{${repeat('"a":1,', bytes - 16)}"a":1}` },
  { name: 'number keys', make: (bytes) => `{${numbered(bytes).join(',')}}` },
  { name: 'a long key', make: (bytes) => `{${JSON.stringify('k'.repeat(bytes - 16))}:1}` },
  { name: 'a key of marks', make: (bytes) => `{${JSON.stringify(MARKS.make(bytes - 16))}:1}` },
  { name: 'a long number', make: (bytes) => `1${'0'.repeat(bytes - 4)}` },
]

/** What arrays are filled with beside. @param example of an item */
export function manyOf(example: unknown): WorstValue {
  return { name: 'one item again and again', make: (bytes) => list(JSON.stringify(example), bytes) }
}

const distinct = (bytes: number) => members(bytes / 10, (n) => `"${String(n).padStart(7, '0')}"`)
const fields = (bytes: number) => members(bytes / 12, (n) => `"${String(n).padStart(7, 'k')}":0`)
/** Far apart, and falling: no engine keeps them as an array. */
const numbered = (bytes: number) =>
  members(bytes / 15.1, (n) => `"${4_000_000_000 - ((n * 7_919) % 3_000_000_000)}":0`)
