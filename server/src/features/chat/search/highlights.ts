/** Where something was found in a text, in UTF-16 units. */
export interface Highlight {
  from: number
  to: number
}

const BEGIN = '\u0001'
const END = '\u0002'
/** Ends a text that a word cannot begin behind. */
const LETTER = /[\p{L}\p{N}]$/u

/** Scripts that put no space between words: those of `is_unspaced` in the database. */
export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const isPart = (word: string) => [...word].length > 2 || UNSPACED.test(word)
const WORDS = /[\p{L}\p{N}\p{M}]+/gu

/** The places of a text that are marked in one of its copies, or are words of the query, in their order, none within another. */
export function highlightsOf(content: string, marked: readonly string[], query: string): Highlight[] {
  // a text that has the marks itself says nothing
  if (content.includes(BEGIN) || content.includes(END)) return []
  const places = [...marked.flatMap((copy) => placesIn(content, copy)), ...partsIn(content, query)].sort(
    (one, other) => one.from - other.from || other.to - one.to,
  )
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

/** Words of the query within words: the database marks whole ones alone. */
function partsIn(content: string, query: string): Highlight[] {
  const [text, asked] = [content.toLowerCase(), query.toLowerCase()]
  // a letter that is longer in lower case moves all places behind it
  if (text.length !== content.length) return []
  return (asked.match(WORDS) ?? []).filter(isPart).flatMap((word) => {
    const places: Highlight[] = []
    for (let from = text.indexOf(word); from >= 0; from = text.indexOf(word, from + word.length))
      places.push({ from, to: from + word.length })
    return places
  })
}

/** @returns -1: there is none from there on */
function beginOfWord(content: string, word: string, from: number): number {
  let at = content.indexOf(word, from)
  while (at > 0 && LETTER.test(content.slice(Math.max(0, at - 2), at))) at = content.indexOf(word, at + 1)
  return at
}
