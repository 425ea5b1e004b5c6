import { describe, expect, it } from 'vitest'
import { longFunctions } from './long-functions.ts'
import { isTest, sourceFiles } from './source-files.ts'
import { expectNone, type Violation } from './violations.ts'

const RULE = 'CONTRIBUTING.md, How we write: no function has more than fifty lines'
const LINES_MAX = 50

/** What is shipped: the tools of engines, benches and tests are not counted. */
const COUNTED = /^(server\/src|contract|client|react|web|embedded-(broker|media|postgres)|image-check)\//

describe('functions', () => {
  it('have no more than fifty lines', () => {
    const files = sourceFiles().filter(
      ({ path }) => COUNTED.test(path) && !isTest(path) && !path.includes('/tests/'),
    )
    expect(files.length).toBeGreaterThan(1_000)
    const long = files.flatMap((file) => longFunctions(file, LINES_MAX))
    expectNone(
      RULE,
      long.map(({ path, line, name, lines }): Violation => {
        return { path, line, what: `${name} has ${lines} lines: divide it` }
      }),
    )
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
