import type { SuccessBody } from '@atrium/client'

export type Word = SuccessBody<'readTranscript'>['words'][number]

/** About a sentence of one person. */
export interface SpokenLine {
  key: string
  /** In seconds from the beginning of the film. */
  from: number
  words: readonly Word[]
  /** Another person spoke before. */
  isTurn: boolean
}

/** A piece of a line; `isHit` where it is what is looked for. */
export interface Piece {
  text: string
  isHit: boolean
}

export interface FoundLine extends SpokenLine {
  pieces: Piece[]
}

/** A longer silence begins another line. */
const PAUSE_SECONDS = 1.5
const SENTENCE_END = /[.!?…。！？]["'»”’)]*$/
/** Where no sentence ends: some write no marks. */
const LINE_WORDS_MAX = 30

/** Words as lines that can be read, and gone to. */
export function linesOf(words: readonly Word[]): SpokenLine[] {
  const lines: (SpokenLine & { words: Word[] })[] = []
  for (const word of words) {
    const line = lines.at(-1)
    const last = line?.words.at(-1)
    const isTurn = last === undefined || speakerOf(last) !== speakerOf(word)
    if (line && last && !isTurn && goesOn(line, last, word)) line.words.push(word)
    else lines.push({ key: String(lines.length), from: word.from, words: [word], isTurn })
  }
  return lines
}

function goesOn(line: SpokenLine, last: Word, next: Word): boolean {
  if (line.words.length >= LINE_WORDS_MAX || SENTENCE_END.test(last.text)) return false
  return Math.abs(next.from - last.to) <= PAUSE_SECONDS
}

function speakerOf({ userId, guest }: Word): string {
  return userId ?? guest?.identity ?? ''
}

/**
 * The lines that have a text in them, in any case, with what is found marked; every line where nothing is wanted. A line
 * is gone to at the first word that is found.
 */
export function linesWith(lines: readonly SpokenLine[], wanted: string): FoundLine[] {
  const sought = wanted.trim().replaceAll(/\s+/g, ' ')
  return lines.flatMap((line) => {
    const text = line.words.map((word) => word.text).join(' ')
    if (sought === '') return { ...line, pieces: [{ text, isHit: false }] }
    const pieces = piecesOf(text, sought)
    const [before] = pieces
    if (!pieces.some(({ isHit }) => isHit)) return []
    const from = wordAt(line, before?.isHit === false ? before.text.length : 0)?.from ?? line.from
    return { ...line, from, pieces }
  })
}

/** By a pattern and not by small letters: some letters are longer when they are small. */
function piecesOf(text: string, sought: string): Piece[] {
  const pattern = new RegExp(`(${sought.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')})`, 'giu')
  return text
    .split(pattern)
    .map((piece, index) => ({ text: piece, isHit: index % 2 === 1 }))
    .filter((piece) => piece.text !== '')
}

/** The word in which a place of the text of its line is. */
function wordAt({ words }: SpokenLine, place: number): Word | undefined {
  let end = -1
  return words.find(({ text }) => {
    end += text.length + 1
    return place < end + 1
  })
}
