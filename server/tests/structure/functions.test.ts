import { describe, expect, it } from 'vitest'
import { type LongFunction, longFunctions } from './long-functions.ts'
import { isTest, sourceFiles } from './source-files.ts'

/** CONTRIBUTING.md aims at functions of so many lines. */
const LINES_MAX = 50

/** What is shipped: the tools of engines, benches and tests are not counted. */
const COUNTED = /^(server\/src|contract|client|react|web|embedded-(broker|media|postgres)|image-check)\//

/** How many functions are longer. It only falls. */
const LONG_MAX = 16

/** How many lines the longest has. It only falls. */
const LONGEST_MAX = 62

function printed(functions: readonly LongFunction[]): string {
  return functions.map(({ lines, name, path, line }) => `  ${lines} ${name} ${path}:${line}`).join('\n')
}

describe('functions', () => {
  const long = sourceFiles()
    .filter(({ path }) => COUNTED.test(path) && !isTest(path) && !path.includes('/tests/'))
    .flatMap((file) => longFunctions(file, LINES_MAX))
    .sort((one, other) => other.lines - one.lines)

  it('of more than fifty lines are ever fewer', () => {
    expect(long.length, `now ${long.length}: lower LONG_MAX, or divide one\n${printed(long)}`).toBe(LONG_MAX)
  })

  it('are ever shorter where they are the longest', () => {
    expect(long[0]?.lines, `now ${printed(long.slice(0, 1))}: lower LONGEST_MAX`).toBe(LONGEST_MAX)
  })
})

describe('the count', () => {
  const of = (text: string, path = 'client/made-up.ts') =>
    longFunctions({ path, text }, 3).map(({ name, lines }) => [name, lines])

  it('knows functions in every form, by their names', () => {
    expect(of('export async function one() {\n\n\n}')).toEqual([['one', 4]])
    expect(of('const two = () => {\n\n\n}')).toEqual([['two', 4]])
    expect(of('export const three = {\n  three() {\n\n\n  },\n}')).toEqual([['three', 4]])
    expect(of('class Four {\n  four() {\n\n\n  }\n}')).toEqual([['four', 4]])
    expect(of('export const Five = () => (\n<p>\n\n</p>\n)', 'web/made-up.tsx')).toEqual([['Five', 5]])
  })

  it('takes a function inside another for one of its own, and for lines of the outer one', () => {
    expect(of('function outer() {\n  const inner = () => {\n\n\n  }\n}')).toEqual([
      ['outer', 6],
      ['inner', 4],
    ])
  })

  it('leaves out what is short, and tables', () => {
    expect(of('function short() {\n\n}\n\nconst table = {\n\n\n\n}\n')).toEqual([])
  })
})
