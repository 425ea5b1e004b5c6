import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCommandLine } from './command-line.ts'
import { billOfMaterials } from './releases/bill-of-materials.ts'
import { withRelease } from './releases/changelog.ts'
import { nextVersion } from './releases/version.ts'
import { versionPlaces } from './releases/version-places.ts'

const USAGE = `npm run release -- <major|minor|patch|version> [--dry-run]

What a release consists of, written into the checkout: the version wherever it stands, its section of the changelog,
the bill of materials. Committing, tagging and keeping an archive of it stay with whoever releases; what to type for
that is printed (docs/operations/release.md).
  --dry-run  writes nothing, and says what would be written`

const ROOT = join(import.meta.dirname, '..')
const BILL = 'docs/security/sbom.cdx.json'

interface Change {
  path: string
  text: string
}

try {
  release()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

function release(): void {
  const { values, positionals, refuse } = readCommandLine({
    usage: USAGE,
    options: { 'dry-run': { type: 'boolean' } },
    names: 1,
  })
  const wish = positionals[0] ?? refuse('Which release is it?')
  requireCleanTree()
  const { version: from, workspaces } = JSON.parse(read('package.json')) as {
    version: string
    workspaces: string[]
  }
  const to = nextVersion(from, wish)
  requireNoTag(`v${to}`)
  const changes = planned(workspaces, from, to)
  if (values['dry-run']) tell(from, to, changes)
  else write(to, changes)
}

function write(to: string, changes: readonly Change[]): void {
  for (const { path, text } of changes) writeFileSync(join(ROOT, path), text)
  run(process.execPath, ['scripts/generate.ts'])
  writeFileSync(join(ROOT, BILL), billOfMaterials(ROOT))
  console.log(`Atrium ${to}. Look at it, and then:
  npm run check
  git add --all && git commit -m "Release ${to}" && git tag -a v${to} -m "Atrium ${to}"
  npx node acceptance/keep-release.ts && git add --all && git commit -m "An archive of ${to} is kept"`)
}

/** @returns what is written, where nothing stands in the way; nothing is written yet */
function planned(workspaces: readonly string[], from: string, to: string): Change[] {
  const texts = new Map<string, string>()
  for (const { path, change } of versionPlaces(workspaces))
    texts.set(path, change(texts.get(path) ?? read(path), from, to))
  const today = new Date().toISOString().slice(0, 10)
  texts.set('CHANGELOG.md', withRelease(read('CHANGELOG.md'), to, today))
  return [...texts].map(([path, text]) => ({ path, text }))
}

function tell(from: string, to: string, changes: readonly Change[]): void {
  console.log(`${from} → ${to}. Nothing was written; these would be:`)
  for (const path of [...changes.map((change) => change.path), 'docs/openapi.json', BILL])
    console.log(`  ${path}`)
}

/** Uncommitted changes would become part of the release, and could not be told apart in it. */
function requireCleanTree(): void {
  const changed = run('git', ['status', '--porcelain'])
  if (changed) throw new Error(`The tree has changes that are not committed:\n${changed}`)
}

function requireNoTag(tag: string): void {
  if (run('git', ['tag', '--list', tag])) throw new Error(`There is a tag ${tag} already`)
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

function run(command: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8' })
  if (error) throw error
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}\n${stdout}${stderr}`)
  return stdout.trimEnd()
}
