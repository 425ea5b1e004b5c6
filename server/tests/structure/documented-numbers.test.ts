import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { INPUT_BOUNDS } from '@atrium/contract/input-bounds'
import { expect, it } from 'vitest'
import { type Setting, settings } from '../../src/configuration/settings.ts'

const ROOT = join(import.meta.dirname, '../../..')

it('SECURITY.md has the numbers of the office', () => {
  const page = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8').replaceAll(/\s+/g, ' ')
  const defaultOf = (name: string) =>
    (settings as readonly Setting[]).find((one) => one.name === name)?.default
  expect(page).toContain(
    `works on at most ${defaultOf('REQUESTS_UNDER_WAY_PER_USER')} requests of one person at the same time`,
  )
  expect(page).toContain(`JSON nested deeper than ${INPUT_BOUNDS.depth} are refused`)
  expect(page).toContain(`(\`CONNECTIONS_PER_USER\`, ${defaultOf('CONNECTIONS_PER_USER')};`)
})
