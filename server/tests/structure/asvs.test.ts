import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { asvsLevels } from './asvs-requirements.ts'
import { ROOT } from './source-files.ts'
import { expectNone, type Violation } from './violations.ts'

const PAGE = 'docs/security/asvs.md'
const RULE = `${PAGE}: every requirement once, judged, with what shows it`
const STATUSES = ['met', 'not met', 'not applicable'] as const
type Status = (typeof STATUSES)[number]

interface Row {
  line: number
  number: string
  level: number
  status: string
  how: string
  tests: string
}

const page = readFileSync(join(ROOT, PAGE), 'utf8')

function rowsOf(text: string): Row[] {
  return text.split('\n').flatMap((content, index) => {
    const cells = content.split('|').map((cell) => cell.trim())
    const [, number = '', level = '', , status = '', how = '', tests = ''] = cells
    if (!/^\d+\.\d+\.\d+$/.test(number)) return []
    return [
      { line: index + 1, number, level: Number(level), status: status.replaceAll('**', ''), how, tests },
    ]
  })
}

/** What looks like a file: from the root of the repository, or from `server/src`. */
function filesIn(text: string): string[] {
  return [...text.matchAll(/`([^`\s]+\.\w+)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => /[/.]/.test(path))
}

function isThere(path: string): boolean {
  return existsSync(join(ROOT, path)) || existsSync(join(ROOT, 'server/src', path))
}

/** Of tests: run by Vitest, by `test:engines`, or a suite that both run. */
const TEST = /(\.(test|conformance)\.ts$)|^engines\//

function violationsOf(row: Row): Violation[] {
  const found = (what: string): Violation => ({ path: PAGE, line: row.line, what: `${row.number}: ${what}` })
  const { number, level, status, how, tests } = row
  const gone = filesIn(`${how} ${tests}`).filter((path) => path.includes('/') && !isThere(path))
  const shown = filesIn(tests).filter((path) => TEST.test(path))
  return [
    ...(asvsLevels.get(number) === level ? [] : [found(`is not of level ${level}`)]),
    ...(STATUSES.includes(status as Status) ? [] : [found(`"${status}" is no status`)]),
    ...(how === '' ? [found('says neither how nor why not')] : []),
    ...gone.map((path) => found(`${path} is not there`)),
    ...(status === 'met' && shown.length === 0 ? [found('is met by no test')] : []),
    ...(status !== 'met' && tests !== '' ? [found('has tests of what is not met')] : []),
  ]
}

/** The table at the head, as it has to be. */
function countsOf(rows: readonly Row[]): string {
  const lineOf = (label: string, some: readonly Row[]) => {
    const counts = STATUSES.map((status) => some.filter((row) => row.status === status).length)
    return `| ${[label, some.length, ...counts].join(' | ')} |`
  }
  const ofLevel = (level: number) => rows.filter((row) => row.level === level)
  return [lineOf('1', ofLevel(1)), lineOf('2', ofLevel(2)), lineOf('1 and 2', rows)].join('\n')
}

describe('the table of ASVS', () => {
  const rows = rowsOf(page)

  it('has every requirement of levels 1 and 2, once and in order', () => {
    const numbers = rows.map(({ number }) => number)
    const parts = (number: string) => number.split('.').map(Number)
    const inOrder = [...asvsLevels.keys()].sort((a, b) => {
      const [one, other] = [parts(a), parts(b)]
      return one.map((part, at) => part - (other[at] ?? 0)).find((difference) => difference !== 0) ?? 0
    })
    expect(inOrder.length).toBe(253)
    expect(numbers).toEqual(inOrder)
  })

  it('judges each, and names what is there', () => {
    expectNone(RULE, rows.flatMap(violationsOf))
  })

  it('has its counts at the head', () => {
    expect(page).toContain(countsOf(rows))
  })
})

describe('the rules', () => {
  const whatIn = (row: string) =>
    rowsOf(row)
      .flatMap(violationsOf)
      .map(({ what }) => what)

  it.each([
    [
      '| 1.2.4 | 1 | asked | met | `access/gone.ts` | `access/guard.test.ts` |',
      'access/gone.ts is not there',
    ],
    ['| 1.2.4 | 2 | asked | met | so | `access/guard.test.ts` |', 'is not of level 2'],
    ['| 1.2.4 | 1 | asked | met | so | `docs/chat.md` |', 'is met by no test'],
    ['| 1.2.4 | 1 | asked | partly | so | |', '"partly" is no status'],
    ['| 1.2.4 | 1 | asked | **not met** | | |', 'says neither how nor why not'],
    ['| 1.2.4 | 1 | asked | **not met** | why | `access/guard.test.ts` |', 'has tests of what is not met'],
  ])('find in %s: %s', (row, what) => {
    expect(whatIn(row)).toEqual([`1.2.4: ${what}`])
  })

  it('let pass what is shown, and what is said not to be', () => {
    expect(whatIn('| 1.2.4 | 1 | asked | met | `access/guard.ts` | `access/guard.test.ts` |')).toEqual([])
    expect(whatIn('| 1.2.4 | 1 | asked | not applicable | no queries | |')).toEqual([])
  })
})
