/** A string or template of a source text. Expressions inside a template read as blanks. */
export interface Literal {
  text: string
  line: number
  /** What a template is tagged with: `sql` for sql`…`; "" for plain templates and strings. */
  tag: string
}

export interface ScannedText {
  /** The text with comments and the words of templates blanked: offsets and lines are those of the text. */
  code: string
  literals: Literal[]
}

interface Reader {
  text: string
  at: number
  code: string
  literals: Literal[]
}

const PLAIN = /[^/'"`{}]+/y
const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y
const STRING = /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y
const REGULAR_EXPRESSION = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y
/** After these a slash begins a regular expression; after anything else it divides. */
const EXPECTS_VALUE =
  /(?:^|[(,=:[!&|?{;+\-*%<>~^]|\b(?:return|typeof|case|in|of|await|void|yield|throw|delete|else|do))\s*$/

/** Blanks what is not code in a TypeScript text and collects its strings. Enough of a parser for formatted code. */
export function scanText(text: string): ScannedText {
  const reader: Reader = { text, at: 0, code: '', literals: [] }
  readCode(reader, false)
  return { code: reader.code, literals: reader.literals }
}

/** @param inTemplate whether this is the expression of a template, which ends at its closing brace */
function readCode(reader: Reader, inTemplate: boolean): void {
  let depth = 0
  while (reader.at < reader.text.length) {
    const plain = match(reader, PLAIN)
    if (plain !== undefined) take(reader, plain.length, plain)
    const character = reader.text.charAt(reader.at)
    if (character === '}' && depth === 0 && inTemplate) return
    if (character === '{') depth += 1
    if (character === '}') depth -= 1
    if (character === '`') readTemplate(reader)
    else if (character === '/') readSlash(reader)
    else if (character === "'" || character === '"') readString(reader)
    else take(reader, 1, character)
  }
}

/** A comment, a regular expression or a division. */
function readSlash(reader: Reader): void {
  const comment = match(reader, COMMENT)
  if (comment !== undefined) {
    take(reader, comment.length, blank(comment))
    return
  }
  const isExpression = EXPECTS_VALUE.test(reader.code.slice(-40))
  const text = (isExpression ? match(reader, REGULAR_EXPRESSION) : undefined) ?? '/'
  take(reader, text.length, text)
}

function readString(reader: Reader): void {
  const string = match(reader, STRING)
  if (string) {
    reader.literals.push({ text: string.slice(1, -1), line: lineAt(reader.text, reader.at), tag: '' })
  }
  take(reader, string?.length ?? 1, string ?? reader.text.charAt(reader.at))
}

function readTemplate(reader: Reader): void {
  const line = lineAt(reader.text, reader.at)
  const tag = /([\w$]+)(?:<[^`]*>)?$/.exec(reader.code.slice(-200))?.[1] ?? ''
  let text = ''
  take(reader, 1, '`')
  while (reader.at < reader.text.length) {
    const character = reader.text.charAt(reader.at)
    if (character === '`') break
    if (reader.text.startsWith('${', reader.at)) {
      take(reader, 2, '${')
      readCode(reader, true)
      text += ' '
      take(reader, 1, '}')
      continue
    }
    const words = reader.text.slice(reader.at, reader.at + (character === '\\' ? 2 : 1))
    text += words
    take(reader, words.length, blank(words))
  }
  take(reader, 1, '`')
  reader.literals.push({ text, line, tag })
}

function match(reader: Reader, pattern: RegExp): string | undefined {
  pattern.lastIndex = reader.at
  return pattern.exec(reader.text)?.[0]
}

function take(reader: Reader, length: number, code: string): void {
  reader.at += length
  reader.code += code
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ')
}

/** The line, counted from 1, that an offset of a text lies on. */
export function lineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1
  return line
}
