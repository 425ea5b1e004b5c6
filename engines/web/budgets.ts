import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { BUILT_FOLDER } from '@atrium/web/built-folder.ts'
import type { Check } from '../engine.ts'

interface Chunk {
  file: string
  imports?: string[]
  css?: string[]
  isEntry?: boolean
}

/** Words come in one language, but for those of the first page: counted is the longer one. */
const FIRST_WORDS = ['src/words/en/at-the-door.ts', 'src/words/de/at-the-door.ts']
const WORDS = [...FIRST_WORDS, 'src/words/de/all-day.ts']
/** What a first visit may load, in kB of gzip: scripts and styles. */
const BUDGETS: readonly { screen: string; sources: readonly string[]; kilobytes: number }[] = [
  { screen: 'sign-in', sources: ['src/sign-in/sign-in-screen.tsx', ...FIRST_WORDS], kilobytes: 130 },
  {
    screen: 'floor',
    sources: ['src/shell/shell.tsx', 'src/floor/floor-screen.tsx', ...WORDS],
    kilobytes: 220,
  },
  {
    screen: 'room',
    sources: ['src/shell/shell.tsx', 'src/room/room-screen.tsx', ...WORDS, 'src/words/de/together.ts'],
    kilobytes: 290,
  },
]

/** Measured over the manifest of the build. */
export async function tryBudgets(check: Check): Promise<void> {
  const manifest = JSON.parse(readFileSync(join(BUILT_FOLDER, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    Chunk
  >
  for (const { screen, sources, kilobytes } of BUDGETS) {
    await check(`${screen} loads at most ${kilobytes} kB`, async () => {
      const bytes = [...filesOf(manifest, ['index.html', ...sources])].reduce(
        (sum, file) => sum + sizeOf(file),
        0,
      )
      console.log(`    ${screen}: ${(bytes / 1_000).toFixed(1)} kB`)
      assert.ok(bytes <= kilobytes * 1_000, `${bytes} bytes`)
    })
  }
}

function filesOf(manifest: Record<string, Chunk>, names: readonly string[]): Set<string> {
  const seen = new Set<string>()
  const files = new Set<string>()
  const add = (name: string) => {
    if (seen.has(name)) return
    seen.add(name)
    const chunk = manifest[name]
    assert.ok(chunk, `${name} is not in the manifest`)
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file)
    for (const imported of chunk.imports ?? []) add(imported)
  }
  for (const name of names) add(name)
  return files
}

function sizeOf(file: string): number {
  const path = join(BUILT_FOLDER, file)
  try {
    return statSync(`${path}.gz`).size
  } catch {
    return gzipSync(readFileSync(path)).length
  }
}
