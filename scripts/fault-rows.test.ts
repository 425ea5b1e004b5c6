import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { faultRows, patternOf } from './fault-rows.ts'

const ROOT = join(import.meta.dirname, '..')

describe('docs/operations/faults.md', () => {
  const rows = faultRows()

  it('has a row for each of the thirty faults, in their order', () => {
    expect(rows.map(({ name }) => name)).toEqual(Array.from({ length: 30 }, (_, n) => `F${n + 1}`))
  })

  it.each(rows)('$name names tests that are there, by their titles', ({ tests }) => {
    expect(tests.length).toBeGreaterThan(0)
    for (const { file, title } of tests) {
      expect(existsSync(join(ROOT, file)), file).toBe(true)
      expect(readFileSync(join(ROOT, file), 'utf8'), `${file}: ${title}`).toContain(title)
    }
  })
})

it('a title matches what fills its blanks, and nothing else', () => {
  const pattern = new RegExp(`^${patternOf({ file: '', title: `killed \${ROUNDS} times (at %s)` })}$`)
  expect(pattern.test('killed 5 times (at work)')).toBe(true)
  expect(pattern.test('killed 5 times at work')).toBe(false)
})
