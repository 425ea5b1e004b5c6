import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const WEB = fileURLToPath(new URL('.', import.meta.url))
const ROOT = join(WEB, '..')

/** What the build makes: HTML, scripts, styles, fonts, each beside its compressed forms. */
export const BUILT_FOLDER = join(WEB, 'dist')
/** The script that builds it, in a process of its own. */
export const BUILD_SCRIPT = join(WEB, 'build.ts')
/** Says of which sources the folder was built. */
export const STAMP_FILE = 'sources.sha256'

/** What a built page may depend on; of the contract, types and the names of channels. */
const SOURCES = ['web', 'client', 'react', 'contract']
const SKIPPED = /(^|\/)(node_modules|dist[^/]*|tests)\/|\.test\.tsx?$|\.md$/

/** Whether the folder was built of the sources as they are now. */
export function isBuilt(): boolean {
  return readStamp() === stampOfSources()
}

/** Whether there is anything to serve, of whatever sources. */
export function isThere(): boolean {
  return readStamp() !== undefined
}

/** The same as long as no source has changed. */
export function stampOfSources(): string {
  const hash = createHash('sha256')
  for (const path of SOURCES.flatMap(filesOf)) hash.update(path).update(readFileSync(join(ROOT, path)))
  return hash.digest('hex')
}

function filesOf(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(ROOT.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((path) => !SKIPPED.test(path))
    .sort()
}

function readStamp(): string | undefined {
  try {
    return readFileSync(join(BUILT_FOLDER, STAMP_FILE), 'utf8')
  } catch {
    return undefined
  }
}
