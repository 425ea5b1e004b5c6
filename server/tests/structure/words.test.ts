import { describe, expect, it } from 'vitest'
import { type SourceFile, sourceFile, sourceFiles } from './source-files.ts'
import { expectNone, type Violation } from './violations.ts'

const RULE = 'ARCHITECTURE.md §2: the field’s standard terms'

/**
 * Words that this code used to have for things which the field has names for, and the name to use. Only as whole words
 * of an identifier (`camelCase`, `UPPER_CASE`) or a comment; names of the database (`snake_case`) and quoted text are left alone.
 */
const BANNED: ReadonlyMap<string, string> = new Map([
  ['deed', 'audit entry, change'],
  ['founding', 'pending organization'],
  ['untold', 'unreported, pending'],
  ['ground', 'context, harness'],
  ['bell', 'signal'],
  ['capture', 'enforced single sign-on'],
  ['tidings', 'event'],
  ['errand', 'job'],
  ['whereabouts', 'position, state'],
])

/** Recorded traffic of a real engine and pictures of a camera are captures in the field too. */
const ALLOWED = [
  /^server\/src\/(ports|adapters)\//,
  /^server\/tests\//,
  /^engines\/(livekit|embedded-media|film|transcriber)\//,
  /^embedded-media\//,
  /^demo\/media\.ts$/,
  // the attribute by which a page asks for one
  /^web\/src\/chat\/attachments\//,
]

function bannedWords({ path, text, literals }: SourceFile): Violation[] {
  const lines = withoutLiterals(text, literals).split('\n')
  const inText = lines.flatMap((line, index) =>
    namesOf(line).map((what) => ({ path, line: index + 1, what })),
  )
  const inPath = namesOf(path.replaceAll('-', ' ')).map((what) => ({ path, what }))
  return [...inPath, ...inText].filter(
    ({ what }) => !(what.startsWith('"capture') && ALLOWED.some((allowed) => allowed.test(path))),
  )
}

function namesOf(text: string): string[] {
  return (text.match(/[A-Za-z_]+/g) ?? [])
    .filter((token) => !/_/.test(token) || /^[A-Z_]+$/.test(token))
    .flatMap((token) => token.split(/_|(?<=[a-z])(?=[A-Z])/))
    .flatMap((word) => {
      const term = BANNED.get(word.toLowerCase().replace(/s$/, ''))
      return term === undefined ? [] : [`"${word}" is a word of our own: say ${term}`]
    })
}

function withoutLiterals(text: string, literals: SourceFile['literals']): string {
  return literals.reduce((rest, literal) => rest.replace(literal.text, ''), text)
}

/** Pronouns that stand for a person whom the code knows by a term: member, caller, client, guest, administrator. */
const PRONOUN = /\b(?:whoever|somebody|nobody|whose)\b/gi
const COMMENT = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/g
/** How many there are in comments. It only falls. */
const PRONOUNS_MAX = 79

/** Titles of tests, as they stand in the report. */
const TITLE = /\b(?:describe|it|test)(?:\.\w+(?:\((?:[^()]|\([^()]*\))*\))?)*\(\s*(['`])((?:(?!\1).)*)\1/g
/** How many there are in titles of tests. It only falls. */
const PRONOUNS_IN_TITLES_MAX = 162

function pronounsInTitles({ text }: SourceFile): number {
  return [...text.matchAll(TITLE)]
    .map(([, , title = '']) => title.match(PRONOUN)?.length ?? 0)
    .reduce((sum, one) => sum + one, 0)
}

function pronounsIn({ text, literals }: SourceFile): number {
  return [...withoutLiterals(text, literals).matchAll(COMMENT)]
    .map(([comment]) => comment.match(PRONOUN)?.length ?? 0)
    .reduce((sum, one) => sum + one, 0)
}

describe('words', () => {
  it('are those of the field', () => {
    const files = sourceFiles().filter(({ path }) => !path.endsWith('structure/words.test.ts'))
    expectNone(RULE, files.flatMap(bannedWords))
  })

  it.each([
    ['a type', 'interface Deed {}'],
    ['a part of a name', 'const listUntold = 1'],
    ['a comment', '// in the transaction of the deed'],
    ['a plural', 'const openErrands = 0'],
  ])('are found in %s', (_, text) => {
    expect(bannedWords(sourceFile('server/src/platform/made-up.ts', text))).toHaveLength(1)
  })

  it('of the database and of texts for people are left alone', () => {
    const text =
      "db.selectFrom('x').where(sql`attempts_elsewhere`); const organization_foundings = 'an errand'"
    expect(bannedWords(sourceFile('server/src/platform/made-up.ts', text))).toEqual([])
  })

  it('for people in comments are terms, and ever fewer pronouns', () => {
    const count = sourceFiles().reduce((sum, file) => sum + pronounsIn(file), 0)
    expect(count, `now ${count}: lower PRONOUNS_MAX`).toBe(PRONOUNS_MAX)
  })

  it('for people in titles of tests are terms, and ever fewer pronouns', () => {
    const files = sourceFiles().filter(({ path }) => !path.endsWith('structure/words.test.ts'))
    const count = files.reduce((sum, file) => sum + pronounsInTitles(file), 0)
    const max = PRONOUNS_IN_TITLES_MAX
    expect(count, `now ${count}: lower PRONOUNS_IN_TITLES_MAX`).toBe(max)
  })

  it.each([
    ['a test', "it('asks somebody', () => {})"],
    ['a group of tests', 'describe(`whoever asks`, () => {})'],
    ['a table of tests', "it.each([['a', of(1)]])('tells nobody: %s', () => {})"],
    ['a test under a condition', "describe.skipIf(!isThere)('whose end is near', () => {})"],
  ])('are counted in the title of %s', (_, text) => {
    expect(pronounsInTitles(sourceFile('server/src/made-up.test.ts', text))).toBe(1)
  })
})
