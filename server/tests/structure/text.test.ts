import { describe, expect, it } from 'vitest'
import { lineAt } from './scan-text.ts'
import { isTest, type SourceFile, sourceFile, sourceFiles } from './source-files.ts'
import { expectNone, type Violation } from './violations.ts'

const RULE =
  'ARCHITECTURE.md §5: what takes time with the square of a text is asked of platform/text/unicode.ts'

/**
 * Where combining marks stand in a row, or a host has no end, these take time with the square of the text: NFC, IDNA, and
 * the parser of web addresses, which brings the host to ASCII. `new URL` of what has been read once is free.
 */
const COSTLY =
  /(?<!posix|path)\.normalize\(|\bdomainTo(?:ASCII|Unicode)\b|\bURL\.(?:canParse|parse)\(|\bIntl\.(?:Collator|Segmenter)\b/g

/** Where else they stand, and why what they are given is short. */
const BOUNDED: Record<string, string> = {
  'server/src/platform/text/unicode.ts': 'has the bounds',
  'contract/message-text.ts': 'has the bounds of messages',
  'server/src/configuration/config-origins.ts': 'settings of the operator',
  'server/src/configuration/config-problems.ts': 'settings of the operator',
}

function violations(files: readonly SourceFile[]): Violation[] {
  return files
    .filter(({ path }) => /^(server\/src|contract)\//.test(path) && !isTest(path) && !BOUNDED[path])
    .filter(({ path }) => !path.endsWith('.conformance.ts'))
    .flatMap(({ path, code }) =>
      [...code.matchAll(COSTLY)].map((match) => ({
        path,
        line: lineAt(code, match.index),
        what: `${match[0]}…: use composed(), asciiHost() or webAddress()`,
      })),
    )
}

describe('normalization, IDNA and web addresses', () => {
  it('stand where texts have bounds', () => {
    expectNone(RULE, violations(sourceFiles()))
  })

  it('are found elsewhere', () => {
    const of = (code: string) => violations([sourceFile('server/src/features/example/example.ts', code)])
    expect(of("text.trim().normalize('NFC')")).toHaveLength(1)
    expect(of("import { domainToASCII } from 'node:url'")).toHaveLength(1)
    expect(of('if (URL.canParse(text)) return new URL(text)')).toHaveLength(1)
    expect(of('const name = composed(text)')).toEqual([])
    expect(of('posix.normalize(path)')).toEqual([])
  })

  it('are listed by files that have them', () => {
    const known = new Map(sourceFiles().map(({ path, code }) => [path, code]))
    const unneeded = Object.keys(BOUNDED).filter((path) => !known.get(path)?.match(COSTLY))
    expect(unneeded).toEqual([])
  })
})
