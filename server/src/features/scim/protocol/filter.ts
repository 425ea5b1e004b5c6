import { invalid } from './faults.ts'

/** What a filter compares with. */
export type Comparison = string | number | boolean | null
export const comparators = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
export type Comparator = (typeof comparators)[number]

/** A filter of RFC 7644, section 3.4.2.2. Names of attributes are as they were written. */
export type Filter =
  | { kind: 'compare'; path: string; operator: Comparator; value: Comparison }
  | { kind: 'present'; path: string }
  | { kind: 'and' | 'or'; one: Filter; other: Filter }
  | { kind: 'not'; filter: Filter }
  /** `emails[type eq "work"]`: one value for which all of it holds; with `sub`, an attribute of that value. */
  | { kind: 'value'; path: string; filter: Filter; sub?: { name: string; test: Filter } }

/** Long enough for any directory, and short enough that nothing can be made of it. */
export const FILTER_LENGTH_MAX = 4_096
const DEPTH_MAX = 32

type Token = { kind: 'word' | 'literal' | 'mark'; text: string; at: number }

const TOKEN = /\s*(?:([A-Za-z$][\w$:.-]*)|("(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)|([()[\].]))/y

interface Reader {
  peek(): Token | undefined
  next(): Token | undefined
}

/** Reads a filter. @throws ScimFault invalidFilter */
export function parseFilter(text: string): Filter {
  if (text.length > FILTER_LENGTH_MAX) throw malformed(`is longer than ${FILTER_LENGTH_MAX} characters`)
  const reader = readerOf(tokensOf(text))
  const filter = readOr(reader, 0)
  const rest = reader.peek()
  if (rest) throw malformed(`has something left at character ${rest.at + 1}`)
  return filter
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  const end = text.trimEnd().length
  for (let at = 0; at < end; ) {
    TOKEN.lastIndex = at
    const [whole, word, literal, mark] = TOKEN.exec(text) ?? []
    if (whole === undefined) throw malformed(`cannot be read from character ${at + 1} on`)
    const found = word ?? literal ?? (mark as string)
    tokens.push({ kind: word ? 'word' : literal ? 'literal' : 'mark', text: found, at })
    at += whole.length
  }
  return tokens
}

function readerOf(tokens: readonly Token[]): Reader {
  let at = 0
  return { peek: () => tokens[at], next: () => tokens[at++] }
}

function readOr(reader: Reader, depth: number): Filter {
  let filter = readAnd(reader, depth)
  while (takesWord(reader, 'or')) filter = { kind: 'or', one: filter, other: readAnd(reader, depth) }
  return filter
}

function readAnd(reader: Reader, depth: number): Filter {
  let filter = readTerm(reader, depth)
  while (takesWord(reader, 'and')) filter = { kind: 'and', one: filter, other: readTerm(reader, depth) }
  return filter
}

function readTerm(reader: Reader, depth: number): Filter {
  if (depth > DEPTH_MAX) throw malformed('is nested too deeply')
  if (isMark(reader.peek(), '(')) return readGroup(reader, depth)
  const word = reader.next()
  if (word?.kind !== 'word') throw malformed('lacks the name of an attribute')
  if (word.text.toLowerCase() === 'not' && isMark(reader.peek(), '('))
    return { kind: 'not', filter: readGroup(reader, depth) }
  if (isMark(reader.peek(), '[')) return readValuePath(reader, word.text, depth)
  return readTest(reader, word.text)
}

function readGroup(reader: Reader, depth: number): Filter {
  reader.next()
  const filter = readOr(reader, depth + 1)
  expectMark(reader, ')')
  return filter
}

function readValuePath(reader: Reader, path: string, depth: number): Filter {
  reader.next()
  const filter = readOr(reader, depth + 1)
  expectMark(reader, ']')
  if (!isMark(reader.peek(), '.')) return { kind: 'value', path, filter }
  reader.next()
  const sub = reader.next()
  if (sub?.kind !== 'word') throw malformed('lacks a name after the brackets')
  return { kind: 'value', path, filter, sub: { name: sub.text, test: readTest(reader, sub.text) } }
}

function readTest(reader: Reader, path: string): Filter {
  const operator = reader.next()?.text.toLowerCase() ?? ''
  if (operator === 'pr') return { kind: 'present', path }
  if (!isComparator(operator)) throw malformed(`does not say how ${path} is compared`)
  return { kind: 'compare', path, operator, value: readValue(reader.next()) }
}

function readValue(token: Token | undefined): Comparison {
  if (token?.kind === 'literal') {
    try {
      return JSON.parse(token.text) as Comparison
    } catch {
      throw malformed(`has no value at character ${token.at + 1}`)
    }
  }
  const word = token?.kind === 'word' ? token.text.toLowerCase() : ''
  if (word === 'true') return true
  if (word === 'false') return false
  if (word === 'null') return null
  throw malformed('lacks a value to compare with')
}

function isComparator(word: string): word is Comparator {
  return (comparators as readonly string[]).includes(word)
}

function takesWord(reader: Reader, word: string): boolean {
  const token = reader.peek()
  if (token?.kind !== 'word' || token.text.toLowerCase() !== word) return false
  reader.next()
  return true
}

function isMark(token: Token | undefined, mark: string): boolean {
  return token?.kind === 'mark' && token.text === mark
}

function expectMark(reader: Reader, mark: string): void {
  if (!isMark(reader.next(), mark)) throw malformed(`lacks "${mark}"`)
}

function malformed(what: string) {
  return invalid('invalidFilter', `The filter ${what}`)
}

/** Whether a filter looks at an attribute, or at a part of it. @param attribute in lower case */
export function looksAt(filter: Filter, attribute: string): boolean {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return looksAt(filter.one, attribute) || looksAt(filter.other, attribute)
    case 'not':
      return looksAt(filter.filter, attribute)
    default:
      return isOf(filter.path, attribute)
  }
}

/** Whether a path is an attribute, or a part of it. With its schema or without. */
export function isOf(path: string, attribute: string): boolean {
  const name = path.toLowerCase().replace(/^.*:/, '')
  return name === attribute || name.startsWith(`${attribute}.`)
}

/** How many comparisons a filter is made of. */
export function comparisonsIn(filter: Filter): number {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return comparisonsIn(filter.one) + comparisonsIn(filter.other)
    case 'not':
      return comparisonsIn(filter.filter)
    case 'value':
      return comparisonsIn(filter.filter) + (filter.sub ? comparisonsIn(filter.sub.test) : 0)
    default:
      return 1
  }
}

/**
 * Of one patch, or of one resource: a sixth of a second of a processor, in which no other request is answered. Taking 200
 * people out of a group of 10,000 is as much.
 */
const COMPARISONS_MAX = 2_000_000

/** @param comparisons with single values @throws ScimFault tooMany */
export function requireFewComparisons(comparisons: number): void {
  if (comparisons <= COMPARISONS_MAX) return
  throw invalid(
    'tooMany',
    'This would look at the values of a large resource too often: ask for less at once',
  )
}
