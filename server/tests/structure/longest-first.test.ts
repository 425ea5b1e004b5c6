import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SECONDS } from '../run/longest-first.ts'

const ROOT = join(import.meta.dirname, '../../..')

it('the files that are started first are there: one that has moved would be started by its size', () => {
  const paths = Object.keys(SECONDS)
  expect(paths.length).toBeGreaterThan(20)
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})
