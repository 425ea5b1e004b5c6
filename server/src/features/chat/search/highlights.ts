/** Where something was found in a text, in UTF-16 units. */
export interface Highlight {
  from: number
  to: number
}

const BEGIN = '\u0001'
const END = '\u0002'
/** Ends a text that a word cannot begin behind. */
const LETTER = /[\p{L}\p{N}]$/u

/** The places of a text that are marked in one of its copies, in their order, none within another. */
export function highlightsOf(content: string, marked: readonly string[]): Highlight[] {
  // a text that has the marks itself says nothing
  if (content.includes(BEGIN) || content.includes(END)) return []
  const places = marked
    .flatMap((copy) => placesIn(content, copy))
    .sort((one, other) => one.from - other.from || other.to - one.to)
  const kept: Highlight[] = []
  for (const place of places) {
    const last = kept.at(-1)
    if (last && place.from < last.to) last.to = Math.max(last.to, place.to)
    else kept.push(place)
  }
  return kept
}

/** PostgreSQL leaves words of more than two kilobytes out of its copy: what is marked is looked for behind them. */
function placesIn(content: string, marked: string): Highlight[] {
  const isWhole = marked.length - marked.split(BEGIN).length - marked.split(END).length + 2 === content.length
  const places: Highlight[] = []
  let at = 0
  for (const part of marked.split(END)) {
    const [before = '', found] = part.split(BEGIN)
    if (found === undefined) break
    const from = isWhole ? at + before.length : beginOfWord(content, found, at)
    if (from < 0) break
    at = from + found.length
    places.push({ from, to: at })
  }
  return places
}

/** @returns -1: there is none from there on */
function beginOfWord(content: string, word: string, from: number): number {
  let at = content.indexOf(word, from)
  while (at > 0 && LETTER.test(content.slice(Math.max(0, at - 2), at))) at = content.indexOf(word, at + 1)
  return at
}
