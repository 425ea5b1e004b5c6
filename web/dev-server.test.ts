import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { DEV_PATHS } from './dev-server.ts'

const ROOT = fileURLToPath(new URL('.', import.meta.url))

it('the development server is asked for every source that a page imports', () => {
  const sources = globSync('src/**/*.{ts,tsx}', { cwd: ROOT }).filter((file) => !file.includes('.test.'))
  expect(sources.length).toBeGreaterThan(100)
  const asked = sources.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+)'/g)].map(
      ([, path = '']) => `/${relative(ROOT, join(ROOT, dirname(file), path))}`,
    ),
  )
  const unknown = asked.filter((path) => !DEV_PATHS.some((known) => path.startsWith(known)))
  expect([...new Set(unknown)]).toEqual([])
})
