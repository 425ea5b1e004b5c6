import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A row of `docs/operations/faults.md`, which says what is tried and is what `npx node scripts/test-faults.ts` runs. */
export interface FaultRow {
  /** `F1` to `F30`. */
  name: string
  fault: string
  tests: FaultTest[]
}

export interface FaultTest {
  /** From the root of the repository. */
  file: string
  /** As it stands in the file: with `${…}` and `%s` where it has them. */
  title: string
}

const DOCUMENT = join(import.meta.dirname, '../docs/operations/faults.md')
const TEST = /`([^`]+)` “([^”]+)”/g

export function faultRows(text = readFileSync(DOCUMENT, 'utf8')): FaultRow[] {
  const lines = text.split('\n').filter((line) => /^\| F\d+ \|/.test(line))
  return lines.map((line) => {
    const [name = '', fault = ''] = line.slice(2).split(' | ')
    const tests = [...line.matchAll(TEST)].map(([, file = '', title = '']) => ({ file, title }))
    return { name, fault, tests }
  })
}

/** What the name of a test is when it runs: where its title has a blank to fill, anything may stand. */
export function patternOf({ title }: FaultTest): string {
  return title
    .split(/\$\{[^}]*\}|%[sdj]/)
    .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
    .join('.*')
}
