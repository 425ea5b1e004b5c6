/** Where something was found in a text, in UTF-16 units. */
export interface Highlight {
  from: number
  to: number
}

const BEGIN = '\u0001'
const END = '\u0002'

/** The places of a text that are marked in one of its copies, in their order, none within another. */
export function highlightsOf(content: string, marked: readonly string[]): Highlight[] {
  // a text that has the marks itself says nothing
  if (content.includes(BEGIN) || content.includes(END)) return []
  const places = marked.flatMap(placesIn).sort((one, other) => one.from - other.from || other.to - one.to)
  const kept: Highlight[] = []
  for (const place of places) {
    const last = kept.at(-1)
    if (last && place.from < last.to) last.to = Math.max(last.to, place.to)
    else kept.push(place)
  }
  return kept
}

function placesIn(marked: string): Highlight[] {
  const places: Highlight[] = []
  let at = 0
  let from = 0
  for (const unit of marked.split('')) {
    if (unit === BEGIN) from = at
    else if (unit === END) places.push({ from, to: at })
    else at += 1
  }
  return places
}
