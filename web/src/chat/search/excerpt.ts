export interface Piece {
  text: string
  /** It was searched for. */
  isHit: boolean
}

/** Before the first hit, so that it is in sight. */
const BEFORE = 40
const LENGTH = 240

/** The part of a text in which something was found, with that told apart. */
export function excerpt(
  content: string,
  highlights: readonly { from: number; to: number }[],
): readonly Piece[] {
  const first = highlights.find(({ from }) => from < content.length)?.from ?? 0
  const begin = first > BEFORE ? wordAt(content, first - BEFORE) : 0
  const end = Math.min(content.length, begin + LENGTH)
  const pieces: Piece[] = begin > 0 ? [{ text: '… ', isHit: false }] : []
  let at = begin
  for (const { from, to } of highlights) {
    if (from < at || from >= end) continue
    pieces.push({ text: content.slice(at, from), isHit: false })
    pieces.push({ text: content.slice(from, Math.min(to, end)), isHit: true })
    at = Math.min(to, end)
  }
  pieces.push({ text: content.slice(at, end), isHit: false })
  if (end < content.length) pieces.push({ text: ' …', isHit: false })
  return pieces.filter(({ text }) => text !== '')
}

/** The beginning of the next word: nothing is cut within one. */
function wordAt(text: string, from: number): number {
  const space = text.slice(from, from + BEFORE).search(/\s/)
  return space < 0 ? from : from + space + 1
}
