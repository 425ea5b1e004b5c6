import { plainText } from '../../live/text/plain-text.ts'

export interface Piece {
  text: string
  /** It was searched for. */
  isHit: boolean
}

/** Before the first hit, so that it is in sight. */
const BEFORE = 40
const LENGTH = 240
/** Characters of private use: to the parser they are letters, as those of the word that they stand around. */
const [FROM, TO] = ['\uE000', '\uE001']

/** The part of a text in which something was found, in plain words, with that told apart. */
export function excerpt(
  content: string,
  highlights: readonly { from: number; to: number }[],
  nameOf: (id: string) => string,
): readonly Piece[] {
  const plain = plainText(marked(content, highlights), nameOf)
  const first = Math.max(0, plain.indexOf(FROM))
  const begin = first > BEFORE ? wordAt(plain, first - BEFORE) : 0
  const end = Math.min(plain.length, begin + LENGTH)
  const pieces = plain
    .slice(begin, end)
    .split(FROM)
    .flatMap((part, at): Piece[] => {
      if (at === 0) return [{ text: part, isHit: false }]
      const [hit = '', after = ''] = part.split(TO)
      return [
        { text: hit, isHit: true },
        { text: after, isHit: false },
      ]
    })
  if (begin > 0) pieces.unshift({ text: '… ', isHit: false })
  if (end < plain.length) pieces.push({ text: ' …', isHit: false })
  return pieces.filter(({ text }) => text !== '')
}

function marked(content: string, highlights: readonly { from: number; to: number }[]): string {
  let at = 0
  let text = ''
  for (const { from, to } of highlights) {
    if (from < at || from >= content.length) continue
    text += `${content.slice(at, from)}${FROM}${content.slice(from, to)}${TO}`
    at = Math.min(to, content.length)
  }
  return text + content.slice(at)
}

/** The beginning of the next word: nothing is cut within one. */
function wordAt(text: string, from: number): number {
  const space = text.slice(from, from + BEFORE).search(/\s/)
  return space < 0 ? from : from + space + 1
}
